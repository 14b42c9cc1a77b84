import { type Browser, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { expectGoodLook, inEveryWidth } from "./looks.ts";
import { aMember, anEmail, callAs, dashboard, linkMailedTo, ownIdsOf, PASSWORD, turnOnCodes } from "./people.ts";

/** Opens pages in every look as the person who is signed in in `page`. */
async function expectToFit(browser: Browser, page: Page, paths: Readonly<Record<string, string>>): Promise<void> {
  const { cookies } = await page.context().storageState();
  await inEveryWidth(browser, async (view, width) => {
    await view.context().addCookies(cookies);
    for (const [name, path] of Object.entries(paths)) {
      await view.goto(dashboard(path), { waitUntil: "networkidle" });
      await expectGoodLook(view, `settings ${name} ${width}`);
    }
  });
}

const invite = (page: Page, role: string, email = anEmail()) =>
  callAs(page, "POST", "/api/dashboard/invitations", { email, role, password: PASSWORD });

/** Gives the business of the person a logo. */
async function upload(page: Page, merchantId: string): Promise<void> {
  const logo = await sharp({ create: { width: 600, height: 160, channels: 3, background: "#b91c1c" } })
    .png()
    .toBuffer();
  await page.request.post(dashboard("/api/dashboard/brand/logo?version=1"), {
    data: logo,
    headers: {
      "Oja-Merchant": merchantId,
      "Content-Type": "image/png",
      Origin: new URL(dashboard()).origin,
      "Sec-Fetch-Site": "same-origin",
    },
  });
}

test("the team, the settings and the audit log fit every screen, and axe finds nothing", async ({ browser, page }) => {
  await aMember(page, "Ngozi's very long and winding name of a business in Onitsha");
  await invite(page, "admin", `a.very.long.name.of.a.person.${anEmail()}`);
  await invite(page, "viewer");
  await turnOnCodes(page);
  await callAs(page, "POST", "/api/dashboard/team/two-factor", { required: true, password: PASSWORD });
  const own = await ownIdsOf(page);
  await upload(page, own.merchantId);
  await expectToFit(browser, page, {
    team: "/test/team",
    member: `/test/team/${own.userId}`,
    business: "/test/settings",
    "live business": "/live/settings",
    brand: "/test/settings/brand",
    fees: "/test/settings/fees",
    audit: "/test/settings/audit",
    "audit entry": "/test/settings/audit/1",
    "nothing found": "/test/settings/audit?subject=nothing",
    "another business": "/businesses/new",
  });
});

test("the page of alerts fits every screen, and axe finds nothing", async ({ browser, page }) => {
  await aMember(page, "Ngozi's very long and winding name of a business in Onitsha");
  await callAs(page, "PATCH", "/api/dashboard/alerts/balance-limit", { amount: 999_999_999.99, from: null });
  await callAs(page, "PATCH", "/api/dashboard/alerts/mails", { payments: "daily", cards: "never" });
  await expectToFit(browser, page, { alerts: "/test/settings/alerts", "live alerts": "/live/settings/alerts" });
});

test("the pages of an invited person fit every screen, and axe finds nothing", async ({ browser, page }) => {
  await aMember(page, "Ngozi's very long and winding name of a business in Onitsha");
  const email = anEmail();
  await invite(page, "support", email);
  const link = (await linkMailedTo(page, email)).replace(dashboard(), "");
  const token = new URL(dashboard(link)).searchParams.get("token") ?? "";
  await inEveryWidth(browser, async (view, width) => {
    for (const [name, path] of Object.entries({
      invitation: link,
      "invited sign-up": `/sign-up?invitation=${token}`,
      "ended invitation": "/invitations?token=unknown",
    })) {
      await view.goto(dashboard(path), { waitUntil: "networkidle" });
      await expectGoodLook(view, `settings ${name} ${width}`);
    }
  });
  await expectToFit(browser, page, { "for another address": link });
});
