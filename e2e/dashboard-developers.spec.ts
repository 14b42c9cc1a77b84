import { expect, type Page, test } from "@playwright/test";
import { aMember, callAs, dashboard, fillIn, untilAlive } from "./people.ts";
import { aReceiver } from "./receiver.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function open(page: Page, path: string): Promise<void> {
  await page.goto(dashboard(`/test/developers${path}`));
  await untilAlive(page);
}

/** Opens the menu of a page, and chooses. */
async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Returns the pair of keys that is shown once, and confirms that it is saved. */
async function keepPair(page: Page): Promise<{ publicKey: string; secretKey: string }> {
  const texts = page.getByRole("dialog").locator("p.select-all");
  await expect(texts).toHaveCount(2);
  const [publicKey = "", secretKey = ""] = await texts.allTextContents();
  await page.getByLabel("I have kept it").check();
  await button(page, "Done").click();
  return { publicKey, secretKey };
}

/** Asks the API for the wallet as a server with a key does. */
const walletStatus = async ({ publicKey, secretKey }: { publicKey: string; secretKey: string }): Promise<number> =>
  (await fetch(`${process.env.BASE_URL}/api/v1/wallet`, { headers: { "X-Api-Key": publicKey, "X-Api-Secret": secretKey } })).status;

async function createKey(page: Page, name: string): Promise<{ publicKey: string; secretKey: string }> {
  await open(page, "");
  await button(page, "Create key").first().click();
  await fillIn(page, { Name: name });
  await button(page, "Create key").last().click();
  const pair = await keepPair(page);
  await expect(heading(page)).toHaveText(name);
  return pair;
}

/** Waits until the page of a key shows that it was used. Uses are written in batches. */
const untilUsed = (page: Page) =>
  expect
    .poll(async () => {
      await page.reload();
      return page.getByText(/^Last used .* from /).count();
    })
    .toBe(1);

test("a key is made in two steps, shown once, rolled with an overlap, and the old one stops when it is revoked", async ({ page }) => {
  await aMember(page);
  const old = await createKey(page, "Shop on the web");
  expect(await walletStatus(old)).toBe(200);
  await untilUsed(page);
  expect(await page.content()).not.toContain(old.secretKey);
  const oldPage = page.url();
  await button(page, "Roll key").click();
  await page.getByLabel("The old key works beside the new one for").selectOption("3 days");
  await button(page, "Roll key").last().click();
  const made = await keepPair(page);
  await page.waitForURL((url) => url.href !== oldPage);
  expect([await walletStatus(old), await walletStatus(made)]).toEqual([200, 200]);
  await page.goto(oldPage);
  await untilAlive(page);
  await expect(page.getByText("Replaced", { exact: true })).toBeVisible();
  await expect(page.getByText(/It is replaced, and works until/)).toBeVisible();
  await button(page, "Revoke key").click();
  await page.getByLabel(/Type the name of the key/).fill("Shop");
  await button(page, "Revoke key").last().click();
  await expect(page.getByText("This is not the name of this key.")).toBeVisible();
  await page.getByLabel(/Type the name of the key/).fill("Shop on the web");
  await button(page, "Revoke key").last().click();
  await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
  await expect.poll(() => walletStatus(old)).toBe(401);
  expect(await walletStatus(made)).toBe(200);
});

test("after a lost answer, the page says that the key exists and that it must be rolled to get a secret", async ({ page }) => {
  await aMember(page);
  await open(page, "");
  await button(page, "Create key").first().click();
  await fillIn(page, { Name: "Lost" });
  await page.route("**/api/dashboard/api-keys", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button(page, "Create key").last().click();
  await expect(page.getByRole("alert").filter({ hasText: "not done twice" })).toBeVisible();
  await page.unroute("**/api/dashboard/api-keys");
  await button(page, "Create key").last().click();
  await expect(page.getByText("The key is made, but its secret was not shown")).toBeVisible();
  await button(page, "Done").click();
  await expect(heading(page)).toHaveText("Lost");
  await open(page, "");
  await expect(page.getByRole("link", { name: "Lost" })).toHaveCount(1);
});

test("addresses are checked while they are typed, and a list that excludes the key's last user shows a warning", async ({ page }) => {
  await aMember(page);
  const pair = await createKey(page, "Nightly accounts");
  expect(await walletStatus(pair)).toBe(200);
  await untilUsed(page);
  await untilAlive(page);
  await button(page, "Change key").click();
  const addresses = page.getByLabel("Addresses that may use it");
  await addresses.fill("203.0.113.0/33");
  await expect(page.getByText("203.0.113.0/33 is not an address or a range")).toBeVisible();
  await addresses.fill("203.0.113.0/24");
  await expect(page.getByText("is not in this list and would be refused")).toBeVisible();
  await button(page, "Save key").click();
  await expect(page.getByRole("listitem").filter({ hasText: "203.0.113.0/24" })).toBeVisible();
  await expect.poll(() => walletStatus(pair)).toBe(403);
});

test("a change that somebody else has made since the form was opened is not overwritten", async ({ page }) => {
  await aMember(page);
  await createKey(page, "Till");
  const id = page.url().split("/").at(-1);
  await button(page, "Change key").click();
  await page.getByLabel("Name", { exact: true }).fill("My till");
  await callAs(page, "PATCH", `/api/dashboard/api-keys/${id}`, { version: 1, name: "Their till" });
  await button(page, "Save key").click();
  await expect(page.getByRole("alert").filter({ hasText: "changed" })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("My till");
});

test("an endpoint is added, fails, is mended, and gets again what it missed: one delivery, chosen ones, and all since", async ({
  page,
}) => {
  const receiver = await aReceiver(500);
  await aMember(page);
  await open(page, "/webhooks");
  await button(page, "Add endpoint").click();
  await fillIn(page, { Address: receiver.url });
  await button(page, "Add endpoint").last().click();
  await expect(page.getByRole("dialog").locator("p.select-all")).toHaveText(/^whsec_/);
  await page.getByLabel("I have kept it").check();
  await button(page, "Done").click();
  await expect(heading(page)).toHaveText(receiver.url);
  const endpoint = page.url();
  await button(page, "Send a test event").click();
  await expect(heading(page)).toHaveText("Test event");
  await expect(page.getByText("Try 1: 500")).toBeVisible();
  for (let i = 0; i < 2; i += 1) {
    const { reference } = await callAs(page, "POST", "/api/v1/checkout/create", { amount: 5_000 });
    await callAs(page, "POST", `/api/v1/test/checkout/${reference}/transfer`, {});
  }
  // The list is as it was when it was opened. The second delivery follows a second after the first one.
  await expect(async () => {
    await open(page, "/deliveries?event_type=checkout.success");
    await expect(page.getByRole("row").filter({ hasText: "Payment link paid" })).toHaveCount(2, { timeout: 1_000 });
    await expect(page.getByRole("row").filter({ hasText: "500" }).first()).toContainText("Retrying", { timeout: 1_000 });
  }).toPass();
  receiver.status = 200;
  await untilAlive(page);
  await page.getByLabel("Choose all on this page").check();
  await button(page, "Send 2 again").click();
  await expect(page.getByText("2 deliveries are sent again")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toHaveCount(2);
  await page.getByRole("row").filter({ hasText: "Payment link paid" }).first().getByRole("link").click();
  await untilAlive(page);
  const before = receiver.bodies.length;
  await button(page, "Send again").click();
  await expect.poll(() => receiver.bodies.length).toBe(before + 1);
  await page.goto(endpoint);
  await untilAlive(page);
  await choose(page, "Disable");
  await expect(page.getByText("Endpoint disabled")).toBeVisible();
  const { reference } = await callAs(page, "POST", "/api/v1/checkout/create", { amount: 6_000 });
  await callAs(page, "POST", `/api/v1/test/checkout/${reference}/transfer`, {});
  await page.reload();
  await expect(page.getByText("It has missed 1 event.")).toBeVisible();
  await untilAlive(page);
  await button(page, "Enable").click();
  await expect(page.getByText("Works", { exact: true })).toBeVisible();
  await button(page, "Send 1 event again").click();
  await expect.poll(() => receiver.bodies.filter((body) => body.includes(reference)).length).toBe(1);
  await receiver.close();
});

test("an address with letters beyond ASCII is shown in them, stays the same when it is saved, and is deleted by its host as one reads it", async ({
  page,
}) => {
  await aMember(page);
  await page.goto(dashboard("/test"));
  const { data } = await callAs(page, "POST", "/api/v1/webhook-endpoints", { url: "https://büro.example/hook" });
  const stored = async () => (await callAs(page, "GET", `/api/v1/webhook-endpoints/${data.id}`)).data.url;
  await open(page, `/webhooks/${data.id}`);
  await expect(heading(page)).toHaveText("https://büro.example/hook");
  await choose(page, "Change address or events");
  await expect(page.getByLabel("Address")).toHaveValue("https://büro.example/hook");
  await button(page, "Save endpoint").click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await stored()).toBe("https://xn--bro-hoa.example/hook");
  await choose(page, "Delete");
  await fillIn(page, { "Type büro.example": "buro.example" });
  await button(page, "Delete endpoint").click();
  await expect(page.getByText("This is not the host of this endpoint.")).toBeVisible();
  await fillIn(page, { "Type büro.example": "Büro.example" });
  await button(page, "Delete endpoint").click();
  await page.waitForURL(/\/developers\/webhooks$/);
  await expect(page.getByText("büro.example")).toHaveCount(0);
});

test("sending all again that is interrupted between two steps goes on after a reload, and sends nothing twice", async ({ page }) => {
  const receiver = await aReceiver(200);
  await aMember(page);
  const { data: endpoint } = await callAs(page, "POST", "/api/v1/webhook-endpoints", { url: receiver.url });
  await callAs(page, "PATCH", `/api/v1/webhook-endpoints/${endpoint.id}`, { status: "disabled" });
  const { reference } = await callAs(page, "POST", "/api/v1/checkout/create", { amount: 5_000 });
  await callAs(page, "POST", `/api/v1/test/checkout/${reference}/transfer`, {});
  await callAs(page, "PATCH", `/api/v1/webhook-endpoints/${endpoint.id}`, { status: "enabled" });
  await open(page, `/webhooks/${endpoint.id}`);
  await expect(button(page, "Send 1 event again")).toBeVisible();
  const resend = "**/api/v1/webhook-endpoints/*/resend";
  const keys: (string | undefined)[] = [];
  // One step resends up to 10,000 events. Here the first answer says that more are left, and the answer of the second step is lost.
  await page.route(resend, async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    const response = await route.fetch();
    const { data } = await response.json();
    if (route.request().postDataJSON().after > 0) return route.abort();
    await route.fulfill({ response, json: { data: { ...data, left: 1 } } });
  });
  await button(page, "Send 1 event again").click();
  await expect(page.getByText("Sending again was interrupted")).toBeVisible();
  await expect.poll(() => receiver.bodies.filter((body) => body.includes(reference)).length).toBe(1);
  await page.reload();
  await untilAlive(page);
  await expect(page.getByText("Sending again was interrupted")).toBeVisible();
  await page.unroute(resend);
  await button(page, "Go on").click();
  await expect(page.getByText("Everything is sent.")).toBeVisible();
  expect(keys.map((key) => key?.split(".").at(-1))).toEqual(["0", expect.stringMatching(/^[1-9]/)]);
  expect(receiver.bodies.filter((body) => body.includes(reference))).toHaveLength(1);
  await receiver.close();
});

test("a failed request is found by its request id, and shows its reason and a command that repeats it", async ({ page }) => {
  await aMember(page);
  const { publicKey, secretKey } = await createKey(page, "Requests");
  const answer = await fetch(`${process.env.BASE_URL}/api/v1/checkout/create`, {
    method: "POST",
    headers: { "X-Api-Key": publicKey, "X-Api-Secret": secretKey, "Content-Type": "application/json" },
    body: JSON.stringify({ amount: 1, description: "a secret cake" }),
  });
  const { error } = await answer.json();
  await expect
    .poll(async () => (await page.goto(dashboard(`/test/developers/requests/${error.request_id}`)))?.status(), { timeout: 15_000 })
    .toBe(200);
  await expect(heading(page)).toHaveText("POST /api/v1/checkout/create");
  await expect(page.getByRole("heading", { name: "VALIDATION_ERROR" })).toBeVisible();
  await expect(page.getByText(error.errors[0].message)).toBeVisible();
  await expect(page.getByText('-d \'{"amount":"…","description":"…"}\'')).toBeVisible();
  expect(await page.content()).not.toContain("a secret cake");
  await open(page, "/requests");
  await expect(page.getByRole("table", { name: "Failed in the last 24 hours" })).toContainText("VALIDATION_ERROR");
  const list = page.getByRole("table", { name: "Requests" });
  await expect(list.getByRole("row").filter({ hasText: "/api/v1/checkout/create" }).first()).toContainText("422");
  expect(await walletStatus({ publicKey, secretKey })).toBe(200);
  await button(page, "1 new. Show").click();
  await expect(list.getByRole("row").filter({ hasText: "/api/v1/wallet" }).first()).toContainText("Requests");
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page, "/requests?status=failed");
  const status = page.getByRole("combobox", { name: "status" });
  await expect(status).toBeHidden();
  await button(page, "Filters (1)").click();
  await expect(status).toHaveValue("failed");
});

test("the simulator pays a link, chooses a card issuer, and is not there in live mode", async ({ page }) => {
  await aMember(page);
  await callAs(page, "POST", "/api/v1/checkout/create", { amount: 5_000, description: "Cake" });
  await open(page, "/simulator");
  await button(page, "Pay exactly").click();
  await expect(page.getByLabel("Payment link", { exact: true })).toContainText("₦5,000.00, Cake (paid)");
  const issuer = page.getByRole("form", { name: "Card issuer" });
  const [, second = ""] = await issuer.getByRole("option").allTextContents();
  await issuer.getByLabel("Card issuer").selectOption(second);
  await issuer.getByRole("button", { name: "Use this one" }).click();
  await expect(page.getByText(`Card issuer: ${second}`)).toBeVisible();
  await page.reload();
  await expect(issuer.getByLabel("Card issuer")).toHaveValue(second);
  expect((await page.goto(dashboard("/live/developers/simulator")))?.status()).toBe(404);
  await page.goto(dashboard("/live/developers/webhooks"));
  await expect(page.getByRole("link", { name: "Simulator" })).toHaveCount(0);
});

test("an event leads to what it is about, and to its deliveries", async ({ page }) => {
  await aMember(page);
  const { reference } = await callAs(page, "POST", "/api/v1/checkout/create", { amount: 5_000 });
  await callAs(page, "POST", `/api/v1/test/checkout/${reference}/transfer`, {});
  await open(page, `/events?resource=${reference}`);
  await page.getByRole("row").filter({ hasText: "Payment link paid" }).getByRole("link").click();
  await expect(heading(page)).toHaveText("Payment link paid");
  await expect(page.getByText("No endpoint of yours has got this event.")).toBeVisible();
  await page.getByRole("link", { name: "Open what it is about" }).click();
  await expect(page).toHaveURL(dashboard(`/test/links/${reference}`));
});
