import { type Browser, type Page, test } from "@playwright/test";
import { expectGoodLook, inEveryWidth } from "./looks.ts";
import { aMember, callAs, dashboard } from "./people.ts";
import { aReceiver } from "./receiver.ts";

const LONG = "Generator parts, and everything else that the workshop in Onitsha asked for";

/** Opens pages in every look as the person who is signed in in `page`. */
async function expectToFit(browser: Browser, page: Page, paths: Readonly<Record<string, string>>): Promise<void> {
  const { cookies } = await page.context().storageState();
  await inEveryWidth(browser, async (view, width) => {
    await view.context().addCookies(cookies);
    for (const [name, path] of Object.entries(paths)) {
      await view.goto(dashboard(path), { waitUntil: "networkidle" });
      await expectGoodLook(view, `developers ${name} ${width}`);
    }
  });
}

const base = "/test/developers";

test("empty pages of developers fit every screen, and axe finds nothing", async ({ browser, page }) => {
  await aMember(page);
  await expectToFit(browser, page, {
    "empty webhooks": `${base}/webhooks`,
    "empty deliveries": `${base}/deliveries`,
    "empty events": `${base}/events`,
    "empty requests": `${base}/requests`,
    "empty simulator": `${base}/simulator`,
    "live keys": "/live/developers",
  });
});

test("keys, requests and the simulator fit every screen, and axe finds nothing", async ({ browser, page }) => {
  await aMember(page);
  const permissions = ["checkout:read", "checkout:write"];
  const { data: key } = await callAs(page, "POST", "/api/dashboard/api-keys", { name: LONG.slice(0, 60), permissions });
  const { data: rolled } = await callAs(page, "POST", "/api/dashboard/api-keys", { name: "Old till", permissions: ["wallet:read"] });
  await callAs(page, "POST", `/api/dashboard/api-keys/${rolled.id}/roll`, { overlap_hours: 72 });
  await callAs(page, "POST", "/api/v1/checkout/create", { amount: 5_000, description: LONG });
  for (let i = 0; i < 3; i += 1) {
    await fetch(`${process.env.BASE_URL}/api/v1/checkout/create`, {
      method: "POST",
      headers: { "X-Api-Key": key.public_key, "X-Api-Secret": key.secret_key, "Content-Type": "application/json" },
      body: JSON.stringify({ amount: 1, description: LONG, metadata: { order: "1" } }),
    });
  }
  const failed = await untilLogged(page);
  await expectToFit(browser, page, {
    keys: base,
    key: `${base}/keys/${key.id}`,
    "rolled key": `${base}/keys/${rolled.id}`,
    requests: `${base}/requests`,
    "failed request": `${base}/requests/${failed}`,
    simulator: `${base}/simulator`,
  });
});

test("webhooks, deliveries and events fit every screen, and axe finds nothing", async ({ browser, page }) => {
  const receiver = await aReceiver(500);
  await aMember(page);
  const { data: failing } = await callAs(page, "POST", "/api/v1/webhook-endpoints", { url: `${receiver.url}/${"long-".repeat(12)}` });
  const { data: off } = await callAs(page, "POST", "/api/v1/webhook-endpoints", {
    url: "https://shop.example/oja",
    event_types: ["card.funded"],
  });
  await callAs(page, "PATCH", `/api/v1/webhook-endpoints/${off.id}`, { status: "disabled" });
  for (const amount of [5_000, 6_000]) {
    const { reference } = await callAs(page, "POST", "/api/v1/checkout/create", { amount, description: LONG });
    await callAs(page, "POST", `/api/v1/test/checkout/${reference}/transfer`, {});
  }
  const delivery = await untilTried(page);
  const { data: events } = await callAs(page, "GET", "/api/dashboard/events");
  await expectToFit(browser, page, {
    webhooks: `${base}/webhooks`,
    "failing endpoint": `${base}/webhooks/${failing.id}`,
    "disabled endpoint": `${base}/webhooks/${off.id}`,
    deliveries: `${base}/deliveries`,
    delivery: `${base}/deliveries/${delivery}`,
    events: `${base}/events`,
    event: `${base}/events/${events[0].id}`,
    "no such event": `${base}/events/evt_1`,
  });
  await receiver.close();
});

/** Returns the id of a request that failed, once the log has it. */
async function untilLogged(page: Page): Promise<string> {
  for (;;) {
    const { data } = await callAs(page, "GET", "/api/dashboard/requests?status=failed");
    if (data.length >= 3) return data[0].id;
  }
}

/** Returns the id of a delivery that was tried. */
async function untilTried(page: Page): Promise<string> {
  for (;;) {
    const { data } = await callAs(page, "GET", "/api/v1/webhook-deliveries?answer=5xx");
    if (data.length > 0) return data[0].id;
  }
}
