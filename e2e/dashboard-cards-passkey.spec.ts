import { expect, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { aCardPage } from "./cards.ts";
import { addPasskey, aPasskeyDevice } from "./passkeys.ts";
import { dashboard, untilAlive } from "./people.ts";

test("a passkey shows a card's number without the password, each time anew, and the audit notes each time", async ({ page }) => {
  await aPasskeyDevice(page);
  const { cardId } = await aCardPage(page);
  await addPasskey(page);
  await page.goto(dashboard(`/test/cards/${cardId}`));
  await untilAlive(page);
  const dialog = page.getByRole("dialog");
  for (let times = 1; times <= 2; times++) {
    await page.getByRole("button", { name: "Show number" }).click();
    await dialog.getByRole("button", { name: "Use a passkey instead" }).click();
    await expect(dialog.locator("dd").first()).toHaveText(/^(\d{4}){4}$/);
    await dialog.getByRole("button", { name: "Hide" }).click();
    await expect(dialog).toHaveCount(0);
    const [{ noted } = { noted: 0 }] = await sql()<{ noted: number }[]>`
      select count(*)::int as noted from audit_entries where subject = ${cardId} and action = 'card.details_requested'`;
    expect(noted).toBe(times);
  }
});
