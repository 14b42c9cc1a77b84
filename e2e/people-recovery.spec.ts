import { expect, type Page, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { expectNoAxeViolations, expectNoSidewaysScrolling, expectTargetsOf24Pixels } from "./browser.ts";
import { expectGoodLook, inEveryLook, inEveryWidth, photograph } from "./looks.ts";
import { addPasskey, aPasskeyDevice } from "./passkeys.ts";
import { aMember, callAs, dashboard, fillIn, linkMailedTo, PASSWORD, signIn, turnOnCodes, untilAlive, untilSignedOut } from "./people.ts";

const HEADINGS: Record<string, string> = {
  "not me": "This was not me",
  offer: "Your password is changed",
  removal: "Remove the second step",
};
const OTHER = "another phrase of many words";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Opens the newest mail's link of an address. */
const openLink = async (page: Page, email: string) => page.goto(await linkMailedTo(page, email));

async function choosePassword(page: Page, password: string): Promise<void> {
  await fillIn(page, { "New password": password });
  await button(page, "Change password").click();
}

async function resetByMail(page: Page, email: string): Promise<void> {
  await page.goto(dashboard("/reset"));
  await fillIn(page, { Email: email });
  await button(page, "Send the link").click();
  await expect(page.getByText(/^If this email has an account/)).toBeVisible();
  await openLink(page, email);
  await choosePassword(page, OTHER);
}

test("'This was not me' signs everybody out, removes the second step, pauses a key, and leads to a new password; the key is resumed", async ({
  page,
  browser,
}) => {
  const email = await aMember(page);
  await turnOnCodes(page);
  const { data: key } = await callAs(page, "POST", "/api/dashboard/api-keys", { name: "Server", permissions: ["wallet:read"] });
  const owner = await (await browser.newContext()).newPage();
  await openLink(owner, email);
  await expect(owner.getByRole("heading", { level: 1 })).toHaveText("This was not me");
  await button(owner, "It was not me: lock the account").click();
  await expect(owner.getByText(/The second step is removed/)).toBeVisible();
  await openLink(owner, email);
  await choosePassword(owner, OTHER);
  await expect(owner.getByText(/^Your password is changed/)).toBeVisible();
  await untilSignedOut(page);
  await signIn(owner, email, OTHER);
  await owner.waitForURL(dashboard("/test"));
  await owner.goto(dashboard(`/test/developers/keys/${key.id}`));
  await untilAlive(owner);
  await expect(owner.getByText("Paused", { exact: true })).toBeVisible();
  await button(owner, "Resume key").click();
  await owner.getByRole("dialog").getByRole("button", { name: "Resume key" }).click();
  await expect(owner.getByText("Works", { exact: true })).toBeVisible();
});

test("after a reset a person without the second step asks for its removal, and a day later a link removes it", async ({
  page,
  browser,
}) => {
  const email = await aMember(page);
  await turnOnCodes(page);
  const owner = await (await browser.newContext()).newPage();
  await resetByMail(owner, email);
  await expect(owner.getByRole("heading", { level: 1 })).toHaveText("Your password is changed");
  await button(owner, "Ask to remove the second step").click();
  await expect(owner.getByText(/^In 24 hours we mail you a link/)).toBeVisible();
  await sql()`
    update factor_removals set created_at = factor_removals.created_at - interval '24 hours' from users u where u.id = user_id and u.email = ${email}`;
  await expect.poll(() => linkMailedTo(owner, email)).toContain("/remove-second-step");
  await openLink(owner, email);
  await button(owner, "Remove the second step").click();
  await expect(owner.getByText(/^The second step is removed/)).toBeVisible();
  await signIn(owner, email, OTHER);
  await owner.waitForURL(dashboard("/test"));
});

test("a person with passkeys alone adds an app by a passkey, and removes a passkey with the password and a recovery code", async ({
  page,
}) => {
  await aPasskeyDevice(page);
  await aMember(page);
  const codes = await addPasskey(page);
  await page.reload();
  await untilAlive(page);
  const sheet = page.getByRole("dialog");
  await button(page, "Turn on").click();
  await sheet.getByRole("button", { name: "Continue" }).click();
  await expect(sheet.getByRole("img", { name: "QR code of the secret" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Remove/ }).click();
  await sheet.getByRole("button", { name: "Use your password and a recovery code" }).click();
  await fillIn(page, { "Your password": PASSWORD, "Recovery code": codes[0] ?? "" });
  await sheet.getByRole("button", { name: "Remove passkey" }).click();
  await expect(page.getByText("Passkey removed")).toBeVisible();
});

test("the pages of recovery fit a phone and a desktop, in both themes and with large text, and axe finds nothing", async ({
  browser,
  page,
}) => {
  const email = await aMember(page);
  await turnOnCodes(page);
  const stranger = await (await browser.newContext()).newPage();
  const notMe = await linkMailedTo(stranger, email);
  await resetByMail(stranger, email);
  const offer = stranger.url();
  await sql()`
    insert into factor_removals (user_id, id, asked_by, created_at)
    select id, 'frm_' || id, 'operator', now() - interval '24 hours' from users where email = ${email}`;
  await expect.poll(() => linkMailedTo(stranger, email)).toContain("/remove-second-step");
  const removal = await linkMailedTo(stranger, email);
  await inEveryWidth(browser, async (view, look) => {
    for (const [name, url] of Object.entries({ "not me": notMe, offer, removal })) {
      await view.goto(url, { waitUntil: "networkidle" });
      await expect(view.getByRole("heading", { level: 1 })).toHaveText(HEADINGS[name] ?? "");
      await expectGoodLook(view, `recovery ${name} ${look}`);
    }
  });
});

/** A sheet moves while it opens, so the check for movement looks at its content only. */
async function lookAt(page: Page, name: string): Promise<void> {
  await expectNoSidewaysScrolling(page);
  await expectTargetsOf24Pixels(page);
  await photograph(page, name);
  await expectNoAxeViolations(page);
}

test("the sheet that adds the first second step fits a phone and a desktop, in both themes, and axe finds nothing", async ({ browser }) => {
  await inEveryLook(browser, async (view, look) => {
    await aMember(view);
    await view.goto(dashboard("/test/security"));
    await untilAlive(view);
    await button(view, "Turn on").click();
    await lookAt(view, `recovery first step ${look}`);
    await fillIn(view, { "Your password": PASSWORD });
    await button(view, "Send me a code").click();
    await expect(view.getByRole("heading", { name: "Type the code of our mail" })).toBeVisible();
    await lookAt(view, `recovery mailed code ${look}`);
  });
});
