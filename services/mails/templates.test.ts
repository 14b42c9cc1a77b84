import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { MAIL_COLOURS } from "./html.ts";
import type { MailBody, MailKind, MailWords } from "./mail.ts";
import { KINDS, wordsOf } from "./mails.fixture.ts";
import { quoted } from "./quoted.ts";
import { renderMail } from "./render.ts";
import { describeMail } from "./templates/index.ts";

beforeAll(() => {
  Object.assign(process.env, { BASE_URL: "https://pay.example.com", DATABASE_URL: "postgres://u:p@localhost/oja" });
});

const render = <Kind extends MailKind>(kind: Kind, words: MailWords[Kind]): MailBody => renderMail(describeMail(kind, words));
const renderAs = (kind: MailKind, name: string): MailBody => render(kind, wordsOf(name)[kind]);

const decoded = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
const linksOfHtml = ({ html }: MailBody) => [...html.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => decoded(link));
const linksOfText = ({ text }: MailBody) => text.match(/https?:\S+/g);
/** Mails that have a second link. */
const TWO_LINKS: MailKind[] = ["email_taken", "news", "summary"];
/** Mails about the business: no stranger causes them by using the address of the reader. */
const ABOUT_THE_BUSINESS: MailKind[] = ["news", "summary"];
/** Returns the words that a reader of the HTML sees, on one line. */
const seenIn = (html: string) => decoded((html.split("<body")[1] ?? "").replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ");
const count = (text: string, part: string) => text.split(part).length - 1;

describe.each(KINDS)("the mail %s", (kind) => {
  test("has one subject, and the same links in text and HTML, all of them to BASE_URL", () => {
    const mail = renderAs(kind, "Ada Obi");
    expect(mail.subject).toMatch(/^[^\r\n]{5,60}$/);
    expect(linksOfHtml(mail)).toEqual(linksOfText(mail));
    expect(linksOfHtml(mail)).toHaveLength(TWO_LINKS.includes(kind) ? 2 : 1);
    for (const link of linksOfHtml(mail)) expect(link).toMatch(/^https:\/\/pay\.example\.com\/[a-z-]+\?token=\w+&next=%2Fhome$/);
  });

  test("says every sentence of its text in its HTML, and greets by name once in each", () => {
    const mail = renderAs(kind, "Ada Obi");
    const sentences = mail.text.split("\n").filter((line) => line !== "" && !line.startsWith("https:"));
    expect(sentences.length).toBeGreaterThan(3);
    for (const sentence of sentences) expect(seenIn(mail.html).replaceAll(" :", ":")).toContain(sentence.replace(/:$/, ""));
    for (const part of [mail.text, mail.html]) expect(count(part, "“Ada Obi”")).toBe(1);
  });

  test("loads nothing, and has no table, image, script or form", () => {
    const { html } = renderAs(kind, "Ada Obi");
    expect(html).toContain('<html lang="en">');
    expect(html).not.toMatch(/<(?:table|img|script|form|iframe|link|object|svg|input)\b|\bsrc=|url\(|@import|\son\w+=/i);
  });

  test("is written as Oja writes: no please, no oops, no exclamation mark", () => {
    const { subject, text } = renderAs(kind, "Ada Obi");
    expect(`${subject} ${text}`).not.toMatch(/please|oops|!/i);
  });
});

test("a link says how long it works and until when in Lagos, and the mail says what to do if it was somebody else", () => {
  const verify = renderAs("verify_email", "Ada").text;
  expect(verify).toMatch(
    /The link works for 3 days, until \d{1,2} \w+ \d{4}, \d\d:\d\d \(West Africa Time\)\. If it was not you, do nothing/,
  );
  expect(renderAs("reset_password", "Ada").text).toMatch(/for 30 minutes, until .* \(West Africa Time\)\. If it was not you, do nothing/);
  for (const kind of KINDS.filter((each) => !ABOUT_THE_BUSINESS.includes(each)))
    expect(renderAs(kind, "Ada").text, kind).toContain(
      kind === "invitation" ? "If you do not know the business, do nothing" : "If it was not you",
    );
});

test("the mail about a sign-in names its browser, address and time in Lagos, and leaves out unknown ones", () => {
  const { text } = renderAs("new_device", "Ada");
  expect(text).toContain("Browser: “Chrome on Android”\nAddress: 102.89.23.4\nTime: 21 Nov 2026, 14:32 (West Africa Time)");
  const unknown = render("new_device", { ...wordsOf("Ada").new_device, address: null, browser: null });
  expect(unknown.text).not.toMatch(/Browser|Address/);
});

test.each([
  ["totp_on", /authenticator app were turned on/],
  ["totp_off", /authenticator app were turned off/],
  ["recovery_codes_renewed", /New recovery codes were made/],
  ["passkey_added", /passkey was added/],
  ["passkey_removed", /passkey was removed/],
  ["passkey_renamed", /passkey of your Oja account got another name/],
  ["removal_asked", /asked to remove every second step/],
  ["removal_asked_by_operator", /The people who run Oja were asked to remove/],
  ["removal_ended", /That ended the request/],
  ["removed_by_mail", /Every second step of your Oja account was removed/],
] as const)("the change %s of a second factor is named, with its time in Lagos", (change, sentence) => {
  const { text } = render("second_factor_changed", { ...wordsOf("Ada").second_factor_changed, change });
  expect(text).toMatch(sentence);
  expect(text).toContain("Time: 21 Nov 2026, 14:32 (West Africa Time)");
});

describe("a hostile name", () => {
  const HOSTILE: [string, string][] = [
    ["A\r\nBcc: eve@evil.example\r\n\r\nPay here", "“A Bcc: eve@ evil. example Pay here”"],
    ["Ada \u202egnp.exe\u2066\u200b\u0000", "“Ada gnp. exe”"],
    ["<script>alert(1)</script>", "“<script>alert(1)</ script>”"],
    ['"><a href="https://evil.example">', "“><a href=https: / / evil. example>”"],
    ["Pay at evil.example", "“Pay at evil. example”"],
    ["www.evil.example/pay?x=1", "“www. evil. example/ pay?x=1”"],
    ["evil\u3002example or evil\uff0eexample", "“evil\u3002 example or evil\uff0e example”"],
    ["” Your account is closed. Call 0803. “", "“Your account is closed. Call 0803.”"],
    ["x".repeat(10_000), `“${"x".repeat(59)}…”`],
    ["😀".repeat(100), `“${"😀".repeat(59)}…”`],
  ];

  test.each(HOSTILE)("%j is shown as quoted text, once, and begins no line and no element", (name, shown) => {
    const honest = renderAs("verify_email", "Ada Obi");
    for (const kind of KINDS) {
      const mail = renderAs(kind, name);
      expect(count(mail.text, shown)).toBe(1);
      expect(count(decoded(mail.html), shown)).toBe(1);
      expect(mail.html).not.toMatch(/<script|<a href="https:\/\/evil/);
      expect(linksOfHtml(mail)).toEqual(linksOfText(mail));
    }
    const mail = renderAs("verify_email", name);
    expect(mail.subject).toBe(honest.subject);
    expect(mail.text.split("\n").length).toBe(honest.text.split("\n").length);
    expect(mail.html.match(/<\/?\w+/g)).toEqual(honest.html.match(/<\/?\w+/g));
  });

  test("a name that shows nothing is left out of the greeting", () => {
    for (const name of ["", "  ", "\u202e\u200b", '"”']) expect(renderAs("verify_email", name).text).toMatch(/^Hello,\n/);
  });

  test("a hostile browser and address are quoted like a name", () => {
    const words = {
      ...wordsOf("Ada").new_device,
      browser: "<b>\r\nTime: now, https://evil.example",
      address: "1.2.3.4\r\nSee evil.example",
    };
    const { text, html } = render("new_device", words);
    expect(text).toContain("Browser: “<b> Time: now, https: / / evil. example”\nAddress: “1. 2. 3. 4 See evil. example”\nTime: 21 Nov");
    expect(html).not.toContain("<b>");
  });
});

test("text of a person never contains an address that a mail program recognises, a line break or the end of its quotation", () => {
  const pieces = fc.constantFrom(
    "evil",
    ".",
    "com",
    "://",
    "@",
    "https",
    "/",
    "\r\n",
    "\u2028",
    "”",
    '"',
    "\u202e",
    " ",
    "\u3002",
    "\\",
    "ж",
    ":",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 80 }), (parts) => {
      const shown = quoted(parts.join(""));
      const inner = shown.slice(1, -1);
      expect(inner).not.toMatch(/\w[.:/\\@\u3002]+\w/);
      expect(inner).not.toMatch(/[\r\n\u2028\u202e“”"]/);
      expect(Array.from(inner).length).toBeLessThanOrEqual(60);
    }),
  );
});

test("a link to another host, port or protocol makes no mail", () => {
  const base = { name: "Ada" };
  for (const link of [
    "https://evil.example/reset",
    "http://pay.example.com/reset",
    "https://pay.example.com:444/reset",
    "https://pay.example.com@evil.example/",
    "https://ada:x@pay.example.com/",
    "//evil.example",
    "javascript:alert(1)",
  ])
    expect(() => render("reset_password", { ...base, link }), link).toThrow();
  const tricky = render("reset_password", { ...base, link: 'https://pay.example.com/reset?x="><b>&y=a b\r\nz' });
  expect(linksOfHtml(tricky)).toEqual(["https://pay.example.com/reset?x=%22%3E%3Cb%3E&y=a%20bz"]);
  expect(linksOfText(tricky)).toEqual(linksOfHtml(tricky));
});

test("a line break in a subject does not begin a header", () => {
  const description = describeMail("verify_email", wordsOf("Ada").verify_email);
  expect(renderMail({ ...description, subject: "Confirm\r\nBcc: eve@evil.example\u202e" }).subject).toBe("Confirm Bcc: eve@evil.example");
});

test("mails have the colours of the screens, in light and dark", () => {
  const css = readFileSync(join(import.meta.dirname, "../../components/theme.css"), "utf8");
  const [light = "", dark = ""] = css.split("@layer theme");
  const token = (part: string, name: string) => new RegExp(`--color-${name}: (#[0-9a-f]{6});`).exec(part)?.[1];
  for (const [name, colour] of Object.entries({ ...MAIL_COLOURS.light, ...MAIL_COLOURS.brand }))
    expect(token(light, name), name).toBe(colour);
  for (const [name, colour] of Object.entries(MAIL_COLOURS.dark)) expect(token(dark, name), name).toBe(colour);
});
