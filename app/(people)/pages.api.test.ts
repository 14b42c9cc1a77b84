import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { aMember } from "#services/members/member.fixture.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { rawRequest } from "#testing/raw-http.ts";

withDatabase();
const KEY = "the key that the start has printed";
const app = withApp(
  { OJA_MAILBOX_KEY: KEY, SECURITY_CONTACT: "mailto:security@oja.example", TRUSTED_PROXIES: "127.0.0.1, ::1" },
  { pages: true },
);

const open = (path: string, headers: Record<string, string> = {}) => fetch(`${app.url}${path}`, { headers, redirect: "manual" });
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, {
    ...{ method: "POST", redirect: "manual", body: new URLSearchParams(fields) },
    headers: { Origin: app.url, "Sec-Fetch-Site": "same-origin", ...headers },
  });
const nonceOf = (policy: string | null) => /script-src 'nonce-([\w+/=]+)' 'strict-dynamic'/.exec(policy ?? "")?.[1];
const STRANGERS_PAGES = ["/sign-up", "/verify", "/reset", "/verify?token=x", "/reset?token=x"];

describe("a page for people", () => {
  test.each(STRANGERS_PAGES)("%s has a policy with a nonce of its own, and all of its scripts carry it", async (path) => {
    const [one, two] = await Promise.all([open(path), open(path)]);
    const policy = one.headers.get("content-security-policy");
    const nonce = nonceOf(policy);
    expect(nonce).toMatch(/^[\w+/]{22}==$/);
    expect(nonceOf(two.headers.get("content-security-policy"))).not.toBe(nonce);
    expect(policy?.replaceAll(`${nonce}`, "N")).toBe(
      "default-src 'none'; script-src 'nonce-N' 'strict-dynamic'; style-src 'self' 'nonce-N'; style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    const scripts = (await one.text()).match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((script) => !script.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(one.headers.get("referrer-policy")).toBe("same-origin");
    expect(one.headers.get("cache-control")).toMatch(/no-store/);
  });

  test("the sign-in page has one script of ours and one style by its hash, loads nothing from another site, and is not cached", async () => {
    const page = await open("/sign-in");
    const html = await page.text();
    const [style = "", ...otherStyles] = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = ""]) => text);
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page.headers.get("content-security-policy")).toBe(
      `default-src 'none'; script-src 'self'; style-src 'sha256-${hash}'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect([otherStyles, html.match(/ style="/)]).toEqual([[], null]);
    const [[tag, script = ""] = [], ...otherScripts] = html.matchAll(/<script src="([^"]*)" defer="">|<script/g);
    expect([tag, otherScripts]).toEqual([expect.stringMatching(/"\/sign-in\/assets\/sign-in\.[0-9a-f]{12}\.js"/), []]);
    expect((await open(script)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await open(`${script}x`)).status).toBe(404);
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(page.headers.get("cache-control")).toMatch(/no-store/);
  });

  test("the sign-in page redirects a person who is signed in to the wanted page, or home", async () => {
    const { token } = await aMember((await aMerchant()).merchant.businessId, "owner");
    const leadsTo = async (path: string) => (await open(path, { cookie: `oja-session=${token}` })).headers.get("location");
    expect(await leadsTo("/sign-in")).toBe("/test");
    expect(await leadsTo("/sign-in?then=%2Flive%2Flinks")).toBe("/live/links");
    expect(await leadsTo("/sign-in?then=%2F%2Fevil.example")).toBe("/test");
  });

  test("ignores a policy, a nonce and an address that a client sends", async () => {
    const answer = await open("/test/security", {
      "x-nonce": "mine",
      "content-security-policy": "script-src 'nonce-mine'",
      "oja-target": "/live/x",
    });
    expect(answer.headers.get("location")).toBe("/sign-in?then=%2Ftest%2Fsecurity");
    expect(answer.headers.get("content-security-policy")).not.toContain("mine");
  });

  test("the dashboard answers 404 for an unknown mode and for an unknown page", async () => {
    const { token } = await aMember((await aMerchant()).merchant.businessId, "owner");
    const headers = { cookie: `oja-session=${token}` };
    expect((await open("/test", headers)).status).toBe(200);
    for (const path of ["/staging", "/b/own/staging", "/test/nothing", "/b/biz_x/test"])
      expect((await open(path, headers)).status, path).toBe(404);
  });

  test("says nothing of a person whose session has ended, or who is no member", async () => {
    const { token } = await aMember((await aMerchant()).merchant.businessId, "viewer");
    const other = (await aMerchant()).merchant;
    expect((await open(`/b/${other.businessId}/test`, { cookie: `oja-session=${token}` })).status).toBe(404);
    expect((await open("/test", { cookie: "oja-session=x" })).status).toBe(307);
  });
});

test.each([
  "/TEST",
  "/Test/security",
  "/LIVE",
  "/Sign-in",
  "/b/x%2Fy/test",
  "/b/own%2F/test",
  "/test.rsc",
  "/b/own/test.rsc",
  "/test%5Csecurity",
])("an address spelled %s is answered with 404, whatever method and body are sent", async (path) => {
  for (const method of ["GET", "POST", "PUT"]) {
    const init = method === "GET" ? {} : { body: "--x--", headers: { "content-type": "multipart/form-data; boundary=x" } };
    expect((await fetch(`${app.url}${path}`, { method, redirect: "manual", ...init })).status, method).toBe(404);
  }
});

test.each(["/test/\u2603", "/test?x=\n", "/test?x=%0a\u2603"])(
  "signing in ignores the address %j, which no header can carry",
  async (next) => {
    expect((await open(`/sign-in?then=${encodeURIComponent(next)}`)).status).toBe(200);
    expect((await send("/sign-in/send", { email: "ada@shop.example", password: "x", next })).headers.get("location")).toBe("/sign-in");
  },
);

test("cookies of others, however long, do not sign a person out", async () => {
  const { token } = await aMember((await aMerchant()).merchant.businessId, "owner");
  expect((await open("/test", { cookie: `a=${"x".repeat(5_000)}; oja-session=${token}` })).status).toBe(200);
});

describe("a form", () => {
  const right = { email: "ada@shop.example", password: "x".repeat(12) };

  test.each<[string, Record<string, string>]>([
    ["another origin", { Origin: "https://evil.example" }],
    ["a client without an origin", {}],
    ["a sandboxed frame", { Origin: "null" }],
    ["a page of another site", { Origin: "OWN", "Sec-Fetch-Site": "cross-site" }],
  ])("a form that %s sends is refused, and sets no cookie", async (_what, headers) => {
    const response = await fetch(`${app.url}/sign-in/send`, {
      ...{ method: "POST", redirect: "manual", body: new URLSearchParams(right) },
      headers: { ...headers, ...(headers.Origin === "OWN" && { Origin: app.url }) },
    });
    expect([response.status, response.headers.get("set-cookie")]).toEqual([403, null]);
  });

  test("a refused form leads back to its page, with the typed values sealed in a cookie, and never the password", async () => {
    const refused = await send("/sign-in/send", { ...right, next: "/test/security" });
    expect([refused.status, refused.headers.get("location")]).toEqual([303, "/sign-in?then=%2Ftest%2Fsecurity"]);
    const [cookie = ""] = refused.headers.getSetCookie();
    expect(cookie).toMatch(/^oja-form=v1\.[^;]+; Max-Age=120; Path=\/; HttpOnly; SameSite=Lax$/);
    const page = await (await open("/sign-in", { cookie: cookie.split(";")[0] ?? "" })).text();
    expect(page).toContain("Email or password is wrong.");
    expect(page).toContain('value="ada@shop.example"');
    expect(page).not.toContain(right.password);
    const other = await (await open("/reset", { cookie: cookie.split(";")[0] ?? "" })).text();
    expect(other).not.toContain("ada@shop.example");
  });

  test("a page shows no text from a forged cookie", async () => {
    const state = JSON.stringify({ form: "sign-in", values: {}, errors: { "": "Call 0800 FRAUD" } });
    for (const cookie of [state, encodeURIComponent(state), "v1.00000000.AAAA", "v1"]) {
      const page = await open("/sign-in", { cookie: `oja-form=${cookie}` });
      expect(page.status).toBe(200);
      expect(await page.text()).not.toContain("FRAUD");
    }
  });

  test.each([
    [{}, "Type your email."],
    [{ email: "not an email", password: "x" }, "This is not an email address."],
    [{ email: `${"a".repeat(300)}@x.example`, password: "x" }, "This is not an email address."],
    [{ email: "ada@shop.example" }, "Type your password."],
  ])("a form with the fields %j shows its error at the field", async (fields, words) => {
    const refused = await send("/sign-in/send", fields as Record<string, string>);
    const page = await (await open("/sign-in", { cookie: refused.headers.getSetCookie()[0]?.split(";")[0] ?? "" })).text();
    expect([page.includes(words), page.includes('aria-invalid="true"')]).toEqual([true, true]);
  });

  test("a body that is too long, or that is no form, is refused like an empty form", async () => {
    for (const body of ["x".repeat(9_000), "\u0000", "%", "email=%ff"]) {
      const response = await fetch(`${app.url}/sign-up/send`, { method: "POST", redirect: "manual", body, headers: { Origin: app.url } });
      expect([response.status, response.headers.get("location")]).toEqual([303, "/sign-up"]);
    }
  });

  test("the form of the second step redirects to the sign-in page if the browser has no ticket", async () => {
    const answer = await send("/sign-in/code/send", { code: "123456" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/sign-in"]);
    expect((await open("/sign-in/code")).headers.get("location")).toBe("/sign-in");
  });

  test("signing out ends the session and removes its cookie, and a second click gets the same answer", async () => {
    const { token } = await aMember((await aMerchant()).merchant.businessId, "owner");
    const cookie = `oja-session=${token}`;
    for (let click = 0; click < 2; click++) {
      const answer = await send("/sign-out", {}, { cookie });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/sign-in"]);
      expect(answer.headers.getSetCookie()).toContain("oja-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
    }
    expect((await open("/test", { cookie })).status).toBe(307);
  });
});

describe("the mailbox", () => {
  const host = () => new URL(app.url).host;
  const ask = (lines: string[], cookie = `oja-mailbox=${encodeURIComponent(KEY)}`) =>
    rawRequest(app.url, ["GET /mailbox HTTP/1.1", ...lines, `Cookie: ${cookie}`, "Connection: close"]);

  test("opens for the browser that brings the key, and the key does not stay in the address", async () => {
    const answer = await open(`/mailbox/open?key=${encodeURIComponent(KEY)}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/mailbox"]);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^oja-mailbox=[^;]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
    for (const key of ["", "x", `${KEY}x`]) expect((await open(`/mailbox/open?key=${encodeURIComponent(key)}`)).status).toBe(404);
  });

  test("the mailbox answers 404 to a browser without the key", async () => {
    for (const cookie of ["", "oja-mailbox=", "oja-mailbox=x"]) expect(await ask([`Host: ${host()}`], cookie)).toMatch(/^HTTP\/1\.1 404 /);
  });

  test("the mailbox opens for a browser on this machine whose Host header names this machine", async () => {
    expect(await ask([`Host: ${host()}`])).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask([`Host: localhost:${new URL(app.url).port}`])).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ["another host's name", ["Host: evil.example"]],
    ["a name that only looks local", ["Host: localhost.evil.example"]],
    ["no usable host", ["Host: %"]],
    ["a proxy that forwards an address", ["Host: localhost", "X-Forwarded-For: 127.0.0.1"]],
    ["a proxy that forwards a host", ["Host: localhost", "X-Forwarded-Host: localhost"]],
    ["a proxy that names itself", ["Host: localhost", "Via: 1.1 proxy"]],
    ["a client that says it is direct", ["Host: localhost", "Forwarded: for=127.0.0.1", "oja-direct: 1"]],
  ])("is not there for %s", async (_who, lines) => {
    expect(await ask(lines)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

test("the security contact is published until half a year from now", async () => {
  const text = await (await open("/.well-known/security.txt")).text();
  expect(text).toMatch(/^Contact: mailto:security@oja\.example\nExpires: 20\d\d-.*Z\n/);
});
