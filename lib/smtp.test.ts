import { expect, test } from "vitest";
import { BadSettings, readSettings } from "./env.ts";
import { parseMailbox, parseSmtpUrl } from "./smtp.ts";

test("mails to another machine are encrypted, from the start or by STARTTLS, and only to this machine they need not be", () => {
  const encryptionOf = (url: string) => parseSmtpUrl(url)?.encryption;
  expect(encryptionOf("smtps://mail.example.com")).toBe("tls");
  expect(encryptionOf("smtps://127.0.0.1")).toBe("tls");
  for (const host of ["mail.example.com", "10.0.0.1", "192.168.1.2", "[2001:db8::1]", "localhost.example.com", "127.0.0.1.example.com"])
    expect(encryptionOf(`smtp://${host}:25`), host).toBe("starttls");
  for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "[::1]"])
    expect(encryptionOf(`smtp://${host}:25`), host).toBe("none");
});

test("user, password, host and port of SMTP_URL are read as they are written, percent signs decoded", () => {
  expect(parseSmtpUrl("smtp://oja%40x.example:p%3Aw%2F@[2001:db8::1]:2525")).toEqual({
    host: "2001:db8::1",
    port: 2525,
    encryption: "starttls",
    signIn: { user: "oja@x.example", password: "p:w/" },
  });
  expect(parseSmtpUrl("smtps://mail.example.com/")).toMatchObject({ host: "mail.example.com", port: undefined, signIn: undefined });
});

test("a bad SMTP_URL or MAIL_FROM stops the start, and the message does not repeat the password", () => {
  const base = { DATABASE_URL: "postgres://u:p@localhost/oja", OJA_SECRET_KEY: "x".repeat(32) };
  const urls = [
    "mail.example.com",
    "https://u:hunter2@x",
    "smtp://",
    "smtp://u:hunter2@x?pool=true",
    "smtp://u:hunter2@x/y",
    "smtp://u@x",
    "smtp://u:%zzhunter2@x",
  ];
  for (const SMTP_URL of urls) {
    const read = () => readSettings({ ...base, SMTP_URL });
    expect(read, SMTP_URL).toThrow(/^Settings: SMTP_URL must be like smtps:\/\/USER:PASSWORD@HOST:PORT or smtp:/);
    expect(read, SMTP_URL).not.toThrow("hunter2");
  }
  for (const MAIL_FROM of [
    "Oja",
    "Oja <no-reply@x>\r\nBcc: eve@evil.example",
    "Oja\r\nBcc <a@b.example>",
    "a@b.example, c@d.example",
    "<a@b.example>",
  ])
    expect(() => readSettings({ ...base, MAIL_FROM }), MAIL_FROM).toThrow(BadSettings);
});

test("mails come from Oja at the host of BASE_URL, unless MAIL_FROM says otherwise", () => {
  const base = { DATABASE_URL: "postgres://u:p@localhost/oja", OJA_SECRET_KEY: "x".repeat(32), BASE_URL: "https://pay.example.com:8443/" };
  expect(readSettings(base).MAIL_FROM).toEqual({ name: "Oja", address: "no-reply@pay.example.com" });
  expect(readSettings({ ...base, MAIL_FROM: "Ada's Store <hello@ada.example>" }).MAIL_FROM).toEqual({
    name: "Ada's Store",
    address: "hello@ada.example",
  });
  expect(parseMailbox("hello@ada.example")).toEqual({ name: "", address: "hello@ada.example" });
});
