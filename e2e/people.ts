import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { sql } from "#db/client.ts";
import { aVerifiedUser, codeMailedTo, PASSWORD } from "#services/users/users.fixture.ts";

export { PASSWORD };

export const dashboard = (path = ""): string => `${process.env.DASHBOARD_URL}${path}`;

let made = 0;
export const anEmail = (): string => `ada-${process.pid}-${Date.now()}-${++made}@shop.example`;

export async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
}

/** Opens the mailbox by the address that the start prints. */
export const openMailbox = (page: Page) => page.goto(dashboard(`/mailbox/open?key=${process.env.OJA_MAILBOX_KEY}`));

/** Returns the link of the latest mail to an address, read in the mailbox as a person would. */
export async function linkMailedTo(page: Page, email: string): Promise<string> {
  await openMailbox(page);
  const mail = page.getByRole("listitem").filter({ hasText: `To ${email}` });
  return (await mail.first().getByRole("link").first().getAttribute("href")) ?? "";
}

export async function signUp(page: Page, email = anEmail(), business = "Ada's Kitchen"): Promise<string> {
  // All journeys come from one network, which may sign up ten people an hour.
  await sql()`delete from sign_in_failures`;
  await page.goto(dashboard("/sign-up"));
  await fillIn(page, { "Your name": "Ada Obi", Business: business, Email: email, Password: PASSWORD });
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your mail" })).toBeVisible();
  return email;
}

/** Opens the home page of a new, signed-in person. Only journeys about signing up and signing in click through those pages. */
export async function aMember(page: Page, business = "Ada's Kitchen"): Promise<string> {
  const email = await aVerifiedUser({ email: anEmail(), business });
  await enter(page, email);
  await page.goto(dashboard("/test"));
  return email;
}

/** Signs a person in by the request that the form sends, without the pages before and after it. */
export async function enter(page: Page, email: string): Promise<void> {
  const headers = { Origin: dashboard() };
  const form = { email, password: PASSWORD };
  const answer = await page.request.post(dashboard("/sign-in/send"), { headers, form, maxRedirects: 0 });
  expect(answer.headers().location).toBe("/test");
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(dashboard("/sign-in"));
  await fillIn(page, { Email: email, Password: password });
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

export async function signOut(page: Page): Promise<void> {
  await untilAlive(page);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByText("You are signed out.")).toBeVisible();
}

/** Reloads a page until it asks to sign in. A process knows a session for up to a second after its end. */
export const untilSignedOut = (page: Page): Promise<void> =>
  expect(async () => {
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in", { timeout: 1_000 });
  }).toPass();

/** Calls an endpoint as a page of the person's test mode does. */
export async function callAs(page: Page, method: string, path: string, body?: unknown) {
  const own = await ownIdsOf(page);
  return page.evaluate(
    async ([verb, url, merchant, content]) => {
      const headers = { "Oja-Merchant": String(merchant), ...(content !== undefined && { "Content-Type": "application/json" }) };
      const response = await fetch(String(url), {
        method: String(verb),
        headers,
        ...(content !== undefined && { body: JSON.stringify(content) }),
      });
      return response.json();
    },
    [method, path, own.merchantId, body] as const,
  );
}

/** Returns the ids of the person who is signed in in a page, and of that person's test merchant. */
export async function ownIdsOf(page: Page): Promise<{ userId: string; merchantId: string }> {
  const [own] = await sql()<{ userId: string; merchantId: string }[]>`
    select s.user_id as "userId", m.id as "merchantId"
    from sessions s join members on members.user_id = s.user_id join merchants m on m.business_id = members.business_id
    where m.mode = 'test' and s.id = ${await sessionIdOf(page.context())}`;
  if (!own) throw new Error("the page belongs to no member");
  return own;
}

/** Returns the id of the newest session of the person who is signed in in a browser. */
async function sessionIdOf(context: BrowserContext): Promise<string> {
  const { sessionIdOf: read } = await import("#services/sessions/token.ts");
  const cookie = (await context.cookies()).find(({ name }) => name === "oja-session");
  return (await read(cookie?.value ?? "")) ?? "";
}

export interface App {
  /** Returns a code that has not been used. Each code works once, so a test that needs several takes those of later time steps. */
  code(stepsAhead?: number): string;
  recoveryCodes: string[];
}

/** Returns the code that was mailed to the person who is signed in in a page. */
export async function codeOfPerson(page: Page): Promise<string> {
  const [user] = await sql()<{ email: string }[]>`
    select u.email from sessions s join users u on u.id = s.user_id where s.id = ${await sessionIdOf(page.context())}`;
  return codeMailedTo(user?.email ?? "");
}

/** Types the password and the code of the mail into an open sheet that adds the first second step. */
export async function proveFirstFactor(page: Page): Promise<void> {
  const sheet = page.getByRole("dialog");
  await fillIn(page, { "Your password": PASSWORD });
  await sheet.getByRole("button", { name: "Send me a code" }).click();
  await expect(sheet.getByRole("heading", { name: "Type the code of our mail" })).toBeVisible();
  await sheet.getByLabel("Code", { exact: true }).fill(await codeOfPerson(page));
  await sheet.getByRole("button", { name: "Continue" }).click();
}

/** Turns two-step sign-in on for the person of a page. */
export async function turnOnCodes(page: Page): Promise<App> {
  await callAs(page, "POST", "/api/dashboard/two-factor/mailed-code", { password: PASSWORD });
  const proof = { password: PASSWORD, code: await codeOfPerson(page) };
  const { data } = await callAs(page, "POST", "/api/dashboard/two-factor/totp", proof);
  const app = new TOTP({ secret: Secret.fromBase32(data.secret) });
  const code = (stepsAhead = 0) => app.generate({ timestamp: Date.now() + stepsAhead * 30_000 });
  const confirmed = await callAs(page, "POST", "/api/dashboard/two-factor/totp/confirm", { code: code(-1) });
  return { code, recoveryCodes: confirmed.data.recovery_codes };
}

/**
 * Opens the search by the keyboard, and returns its focused field. Presses the keys until it opens, because React
 * listens to the document a moment after it has hydrated the buttons.
 */
export async function openSearch(page: Page, keys = "Control+k"): Promise<Locator> {
  const field = page.getByRole("combobox", { name: "Search" });
  await expect(async () => {
    await page.keyboard.press(keys);
    await expect(field).toBeFocused({ timeout: 5_000 });
  }).toPass();
  return field;
}

/** Waits until React has hydrated the page, because an earlier click is lost. A page without React is ready when it has loaded. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isAlive = (button: Element) => Object.keys(button).some((key) => key.startsWith("__reactProps"));
    return !document.querySelector('script[src^="/_next/"]') || [...document.querySelectorAll("button")].every(isAlive);
  });
}
