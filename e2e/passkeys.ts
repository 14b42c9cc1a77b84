import { expect, type Page } from "@playwright/test";
import { dashboard, proveFirstFactor, untilAlive } from "./people.ts";

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

/** Adds the person's first passkey, on the page of their security. Returns the recovery codes. */
export async function addPasskey(page: Page): Promise<string[]> {
  await page.goto(dashboard("/test/security"));
  await untilAlive(page);
  await page.getByRole("button", { name: "Add passkey" }).click();
  const sheet = page.getByRole("dialog");
  await proveFirstFactor(page);
  await sheet.getByRole("button", { name: "Add passkey" }).click();
  await expect(sheet.getByRole("listitem")).toHaveCount(10);
  const codes = await sheet.getByRole("listitem").allInnerTexts();
  await page.getByLabel("I have kept these codes").check();
  await sheet.getByRole("button", { name: "Done" }).click();
  await expect(sheet).toHaveCount(0);
  return codes;
}
