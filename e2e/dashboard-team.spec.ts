import { type Browser, expect, type Page, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { aMember, anEmail, callAs, dashboard, fillIn, linkMailedTo, PASSWORD, signIn, turnOnCodes, untilAlive } from "./people.ts";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function open(page: Page, path: string): Promise<void> {
  await page.goto(dashboard(path));
  await untilAlive(page);
}

/** Invites somebody on the page of the team. */
async function invite(page: Page, email: string, role: string): Promise<void> {
  await open(page, "/test/team");
  await button(page, "Invite member").first().click();
  await fillIn(page, { Email: email, "Your password": PASSWORD });
  await page.getByLabel("Role", { exact: true }).selectOption(role);
  await button(page, "Send invitation").click();
  await expect(page.getByText("Invitation sent")).toBeVisible();
}

/** Follows the mail of an invitation as a person without an account: signs up, confirms the email and joins. Returns the person's page. */
async function join(browser: Browser, email: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await sql()`delete from sign_in_failures`;
  await page.goto(await linkMailedTo(page, email));
  await page.getByRole("link", { name: "Create an account" }).click();
  await fillIn(page, { "Your name": "Bisi Ojo", Password: PASSWORD });
  await button(page, "Create account").click();
  await expect(page.getByRole("heading", { name: "Check your mail" })).toBeVisible();
  await page.goto(await linkMailedTo(page, email));
  await fillIn(page, { Password: PASSWORD });
  await button(page, "Confirm my email").click();
  await expect(heading(page)).toHaveText("You are invited");
  await button(page, "Join Ada's Kitchen").click();
  await page.waitForURL(/\/b\/biz_\w+\/test$/);
  return page;
}

async function aColleague(browser: Browser, page: Page, role: string): Promise<{ email: string; view: Page }> {
  const email = anEmail();
  await invite(page, email, role);
  return { email, view: await join(browser, email) };
}

test("an invited viewer signs up from the mail, joins, looks at everything, and cannot touch it", async ({ page, browser }) => {
  await aMember(page);
  const { reference } = await callAs(page, "POST", "/api/v1/checkout/create", { amount: 5_000, description: "Two bags of rice" });
  const { view } = await aColleague(browser, page, "viewer");
  await open(view, "/test/links");
  await expect(view.getByText("Two bags of rice").first()).toBeVisible();
  await expect(view.getByRole("link", { name: "Create link" })).toHaveCount(0);
  await open(view, `/test/links/${reference}`);
  await expect(heading(view)).toContainText("Two bags of rice");
  await expect(view.getByRole("link", { name: "Team", exact: true })).toHaveCount(0);
  await open(view, "/test/team");
  await expect(view.getByText("Your role does not open this page. Owners and admins can see it.")).toBeVisible();
  const refused = await callAs(view, "POST", "/api/v1/checkout/create", { amount: 5_000, description: "Mine" });
  expect(refused.error.code).toBe("PERMISSION_DENIED");
  await open(page, "/test/team");
  await expect(page.getByRole("row", { name: /Bisi Ojo/ })).toContainText("Viewer");
  await expect(page.getByText("Nobody is invited at the moment.")).toBeVisible();
});

test("a developer makes no live key, and no test key with more than the role may do", async ({ page, browser }) => {
  await aMember(page);
  const { view } = await aColleague(browser, page, "developer");
  await open(view, "/live/developers");
  await expect(view.getByText(/Your role does not open keys of live mode/)).toBeVisible();
  const made = await callAs(view, "POST", "/api/dashboard/api-keys", { name: "Mine", permissions: ["wallet:read", "test:write"] });
  expect(made.data.permissions).toEqual(["wallet:read", "test:write"]);
  const email = anEmail();
  await invite(page, email, "support");
  const support = await join(browser, email);
  const refused = await callAs(support, "POST", "/api/dashboard/api-keys", { name: "Mine", permissions: ["wallet:read"] });
  expect(refused.error.code).toBe("PERMISSION_DENIED");
});

test("an invitation is withdrawn, and its link says that it has ended", async ({ page, browser }) => {
  await aMember(page);
  const email = anEmail();
  await invite(page, email, "support");
  await page.getByRole("button", { name: `Withdraw the invitation to ${email}` }).click();
  await expect(page.getByText("Invitation withdrawn")).toBeVisible();
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(await linkMailedTo(stranger, email));
  await expect(heading(stranger)).toHaveText("This invitation has ended");
});

test("an expired invitation is sent again for the password of the member who sends it, and works", async ({ page, browser }) => {
  await aMember(page);
  const email = anEmail();
  await invite(page, email, "support");
  await sql()`update invitations set expires_at = now() - interval '1 second', sent_at = now() - interval '8 days' where email = ${email}`;
  await open(page, "/test/team");
  await page.getByRole("button", { name: `Send again the invitation to ${email}` }).click();
  await fillIn(page, { "Your password": "not the password at all" });
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await expect(page.getByLabel("Your password")).toHaveAccessibleDescription(/not your password/);
  await fillIn(page, { "Your password": PASSWORD });
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await expect(page.getByText("Invitation sent again")).toBeVisible();
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(await linkMailedTo(stranger, email));
  await expect(heading(stranger)).not.toHaveText("This invitation has ended");
});

test("a role is changed, an outdated page is told who changed it and keeps its choice, and a removed member is signed out", async ({
  page,
  browser,
}) => {
  await aMember(page);
  const { view } = await aColleague(browser, page, "viewer");
  await open(page, "/test/team");
  await page.getByRole("link", { name: "Bisi Ojo" }).click();
  await expect(heading(page)).toHaveText("Bisi Ojo");
  await untilAlive(page);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await untilAlive(second);
  const change = async (on: Page, role: string) => {
    await button(on, "Change role").first().click();
    await on.getByLabel("Role", { exact: true }).selectOption(role);
    await fillIn(on, { "Your password": PASSWORD });
    await button(on, "Change role").last().click();
  };
  await change(page, "support");
  await expect(page.getByText("Role: Support")).toBeVisible();
  await change(second, "developer");
  await expect(second.getByText(/Ada Obi changed this on .+ \(role\)/)).toBeVisible();
  await expect(second.getByLabel("Role", { exact: true })).toHaveValue("developer");
  await page.getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: "Remove from the team" }).click();
  await fillIn(page, { "Your password": PASSWORD });
  await button(page, "Remove member").click();
  await expect(heading(page)).toHaveText("Team");
  await expect(page.getByRole("row", { name: /Bisi Ojo/ })).toHaveCount(0);
  await expect(async () => {
    await view.goto(dashboard("/test"));
    await expect(heading(view)).toHaveText("You are in no business", { timeout: 1_000 });
  }).toPass();
});

test("an owner requires two-step sign-in, and a member without it is led to it and let in when it is on", async ({ page, browser }) => {
  await aMember(page);
  const { email, view } = await aColleague(browser, page, "support");
  await open(page, "/test/team");
  await expect(page.getByText("turn it on for yourself first")).toBeVisible();
  await turnOnCodes(page);
  await open(page, "/test/team");
  await button(page, "Require it").click();
  await fillIn(page, { "Your password": PASSWORD });
  await button(page, "Require it of everybody").click();
  await expect(page.getByText("Every member needs it")).toBeVisible();
  // The colleague signed in before the rule began, so that session stays open.
  await open(view, "/test/links");
  await expect(heading(view)).toHaveText("Payment links");
  const later = await (await browser.newContext()).newPage();
  await signIn(later, email);
  await later.waitForURL(/\/security$/);
  await expect(later.getByText("Turn two-step sign-in on")).toBeVisible();
  await later.goto(dashboard("/test/links"));
  await later.waitForURL(/\/security$/);
  await turnOnCodes(later);
  await expect(async () => {
    await later.goto(dashboard("/test/links"));
    await expect(heading(later)).toHaveText("Payment links", { timeout: 1_000 });
  }).toPass();
});

test("the last owner cannot leave and is told why; another member leaves and is out", async ({ page, browser }) => {
  await aMember(page);
  await open(page, "/test/security");
  await button(page, "Leave business").click();
  await fillIn(page, { "Your password": PASSWORD });
  await page.getByRole("dialog").getByRole("button", { name: "Leave business" }).click();
  await expect(page.getByText("A business needs an owner. Make somebody else an owner first.")).toBeVisible();
  const { view } = await aColleague(browser, page, "viewer");
  await open(view, "/test/security");
  await button(view, "Leave business").click();
  await fillIn(view, { "Your password": PASSWORD });
  await view.getByRole("dialog").getByRole("button", { name: "Leave business" }).click();
  await expect(heading(view)).toHaveText("You are in no business");
  await view.getByRole("link", { name: "Open a business of your own" }).click();
  await fillIn(view, { Business: "Bisi's Bakery" });
  await button(view, "Open business").click();
  await view.waitForURL(/\/b\/biz_\w+\/test$/);
  await expect(heading(view)).toContainText("Bisi");
});
