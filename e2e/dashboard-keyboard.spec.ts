import { expect, test } from "@playwright/test";
import { enterOn, tabTo, walkByTab } from "./keyboard.ts";
import { aMember, dashboard, untilAlive } from "./people.ts";

const PAGES = [
  ...["", "/webhooks", "/deliveries", "/events", "/requests", "/simulator"].map((path) => `/test/developers${path}`),
  ...["", "/brand", "/alerts", "/fees", "/audit"].map((path) => `/test/settings${path}`),
  ...["/test/team", "/test/security"],
];

test("every page of developers, settings and team is walked by Tab: each stop is seen and has a ring, and the walk ends", async ({
  page,
}) => {
  await aMember(page);
  for (const path of PAGES) {
    await page.goto(dashboard(path));
    await untilAlive(page);
    expect(await walkByTab(page), path).toBeGreaterThan(5);
  }
});

test("a key is made by the keyboard alone, and the focus comes back from the dialog", async ({ page }) => {
  await aMember(page);
  await page.goto(dashboard("/test/developers"));
  await untilAlive(page);
  const dialog = page.getByRole("dialog");
  await enterOn(page, page.getByRole("button", { name: "Create key", exact: true }).first());
  await expect(dialog.getByLabel("Name", { exact: true })).toBeFocused();
  await page.keyboard.type("Made by keyboard");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Create key", exact: true }).first()).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Made by keyboard");
  await enterOn(page, dialog.getByRole("button", { name: "Create key", exact: true }));
  await expect(dialog.locator("p.select-all")).toHaveCount(2);
  await tabTo(page, dialog.getByLabel("I have kept it"));
  await page.keyboard.press("Space");
  await enterOn(page, dialog.getByRole("button", { name: "Done" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Made by keyboard");
});
