import { expect, type Page } from "@playwright/test";
import { dashboard, fillIn, PASSWORD, untilAlive } from "./people.ts";

/** Gives the browser of a page a passkey device whose owner always agrees. */
export async function aPasskeyDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Adds the person's first passkey, on the page of their security. */
export async function addPasskey(page: Page): Promise<void> {
  await page.goto(dashboard("/test/security"));
  await untilAlive(page);
  await page.getByRole("button", { name: "Add passkey" }).click();
  const sheet = page.getByRole("dialog");
  await fillIn(page, { "Your password": PASSWORD });
  await sheet.getByRole("button", { name: "Continue" }).click();
  await sheet.getByRole("button", { name: "Add passkey" }).click();
  await page.getByLabel("I have kept these codes").check();
  await sheet.getByRole("button", { name: "Done" }).click();
  await expect(sheet).toHaveCount(0);
}
