import { expect, type Page, test } from "@playwright/test";
import {
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  expectTargetsOf44Pixels,
  heading,
  openLink,
  secondsLeft,
  simulate,
  stopTime,
} from "./browser.ts";
import { inEveryLook, photograph } from "./looks.ts";
import { livePageOf } from "./merchant.ts";

/** A state, the steps in the test mode bar that lead to it, and the texts that a payer must read in it. */
const STATES: { name: string; lead: (page: Page) => Promise<unknown>; reads: RegExp[]; fields?: Record<string, unknown> }[] = [
  {
    name: "awaiting",
    lead: async () => undefined,
    reads: [
      /Pay ₦5,000\.00/,
      /Your bank should show the name .*Ada's Kitchen/i,
      /Transfer exactly ₦5,000\.00, once, before \d\d:\d\d \(Lagos time\)/,
      /Any other amount is sent back/,
    ],
  },
  {
    name: "expiring",
    lead: async (page) => {
      await simulate(page, "4 minutes left");
      // Reads the timer's element alone, because the text beside it shows a time of day, which may look alike.
      await expect(page.locator("#timer")).toHaveText(/^[34]:\d\d$/);
    },
    reads: [/Little time is left/, /Time left/],
  },
  {
    name: "sent, checking",
    lead: (page) => page.getByRole("button", { name: "I’ve sent the money" }).click(),
    reads: [
      /Checking for your transfer/,
      /You may leave this page/,
      /It counts if it comes before \d\d:\d\d/,
      /₦5,000\.00 to \d{3} \d{3} \d{4}/,
    ],
  },
  {
    name: "still checking",
    lead: (page) => simulate(page, "Sent 2 minutes ago"),
    reads: [/Still checking/, /It is safe to close this page/],
  },
  {
    name: "wrong amount, too little",
    lead: (page) => simulate(page, "Too little"),
    reads: [
      /₦4,900\.00 came, which is less than ₦5,000\.00/,
      /has sent your money back/,
      /within one working day/,
      /Do not send only the difference: send ₦5,000\.00 once, and the ₦4,900\.00 comes back to you/,
    ],
  },
  {
    name: "wrong amount, too much",
    lead: (page) => simulate(page, "Too much"),
    reads: [/₦10,000\.00 came, which is more than ₦5,000\.00/, /has sent your money back/, /To pay, transfer exactly ₦5,000\.00/],
  },
  {
    name: "second transfer",
    lead: (page) => simulate(page, "Twice"),
    reads: [/has received your ₦5,000\.00/, /₦5,000\.00 came a second time/, /has sent your money back/],
  },
  {
    name: "late transfer",
    lead: (page) => simulate(page, "Too late"),
    reads: [/This payment has expired/, /₦5,000\.00 came after the time was over/, /has sent your money back/],
  },
  {
    name: "expired",
    lead: (page) => simulate(page, "Time over"),
    reads: [/This payment has expired/, /Do not transfer to this account any more/, /it still counts/],
  },
  {
    name: "paid, receipt",
    lead: (page) => simulate(page, "Exact amount"),
    reads: [
      /has received your ₦5,000\.00/,
      /Receipt/,
      /Paid to/,
      /Paid on/,
      /T••• P•••/,
      /Other Bank \(test\) ••\d{4}/,
      /Bank session ID/,
      /Reference/,
    ],
  },
  {
    name: "paid, test mode's way back",
    fields: { callback_url: "https://shop.example/thanks" },
    lead: (page) => simulate(page, "Exact amount"),
    reads: [/Return to shop\.example/, /This was a test: no money was paid\. shop\.example is not part of Oja/],
  },
  {
    name: "paid, returning",
    fields: { callback_url: "https://shop.example/thanks" },
    lead: async (page) => {
      await simulate(page, "Exact amount");
      await expect(page.getByRole("link", { name: "Return to shop.example" })).toBeVisible();
      const [, reference = ""] = /\/pay\/(\w+)/.exec(page.url()) ?? [];
      // The page leaves after five seconds, so its time stops until the button is pressed.
      await stopTime(page);
      await page.goto(await livePageOf({ reference }));
      await expect(page.locator("#returning")).toBeVisible();
      await page.getByRole("button", { name: "Stay here" }).click();
      await page.clock.resume();
    },
    reads: [/Return to shop\.example/],
  },
  {
    name: "suspended",
    lead: (page) => simulate(page, "Merchant suspended"),
    reads: [/This payment cannot be taken now/, /Do not transfer money/],
  },
  {
    name: "bank down",
    lead: (page) => simulate(page, "Bank down"),
    reads: [/The bank is not answering/, /If you have sent the money, it is safe/],
  },
  {
    name: "bank down, after sent",
    lead: async (page) => {
      await page.getByRole("button", { name: "I’ve sent the money" }).click();
      await expect(heading(page)).toHaveText("Checking for your transfer");
      await simulate(page, "Bank down");
    },
    reads: [/The bank is not answering/, /There is no answer just now\. If you have sent money, it is safe/, /Checking for your transfer/],
  },
  {
    name: "offline",
    lead: async (page) => {
      // The button only fires the browser's `offline` event, and an answer would end the state.
      await page.route("**/status", (route) => route.abort());
      await simulate(page, "Offline");
    },
    reads: [/You are offline\. We check when you are online\. Money that you sent is safe\. Checked \d+ s ago/],
  },
];

for (const { name, lead, reads, fields } of STATES) {
  test(`${name}: the test mode bar leads to this state, which reads well and passes axe in every look`, async ({ browser }) => {
    await inEveryLook(browser, async (page, look) => {
      await openLink(page, fields);
      await lead(page);
      for (const text of reads) await expect(page.locator("main")).toContainText(text);
      await expect(heading(page)).toHaveCount(1);
      await expectNoSidewaysScrolling(page);
      await expectTargetsOf44Pixels(page);
      await expectNoAxeViolations(page);
      await photograph(page, `${name}-${look}`);
    });
  });
}

test("stale: while Oja does not answer, the page says the age of its news, and it recovers when the network is back", async ({ page }) => {
  await page.clock.install();
  await openLink(page);
  await simulate(page, "Oja does not answer");
  await expect(page.locator("#age")).toBeHidden();
  await page.clock.fastForward("00:41");
  // 41 s, plus the real seconds since the page was opened.
  await expect(page.locator("#age")).toHaveText(/^Checked [4-9]\d s ago$/);
  await expectNoAxeViolations(page);
  await page.clock.fastForward("03:00");
  await expect(page.locator("#age")).toHaveText(/^Checked [34] min ago$/);
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(page.locator("#age")).toBeEmpty();
});

test("offline: the page says so, and shows the payment as soon as the network is back", async ({ page, context }) => {
  const link = await openLink(page);
  // A later poll would show the payment too. Polls fail here, so that only the reload after `online` can show it.
  await page.route(`**/pay/${link.reference}/status`, (route) => route.abort());
  await context.setOffline(true);
  await expect(page.locator("#age")).toHaveText(/^You are offline\. .* safe\. Checked \d+ s ago$/);
  await expect(page.getByRole("status")).toHaveText("You are offline. We check when you are online. Money that you sent is safe.");
  await fetch(`${process.env.BASE_URL}/pay/${link.reference}/simulate`, { method: "POST", body: new URLSearchParams({ what: "exact" }) });
  await context.setOffline(false);
  await expect(heading(page)).toHaveText(/has received your/);
});

test("unknown: the page of an unknown reference reveals nothing and sends no further request", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await openLink(page);
  asked.length = 0;
  const response = page.waitForResponse("**/pay/00000000000000000000000000");
  await simulate(page, "Unknown link");
  expect((await response).status()).toBe(404);
  await expect(heading(page)).toHaveText("We cannot find this payment");
  await expectNoAxeViolations(page);
  const known = /\/(assets|logos|status|activity)(\/|$)/;
  expect(asked.filter((path) => !known.test(path))).toEqual(["/pay/00000000000000000000000000"]);
  expect(asked.filter((path) => path.startsWith("/pay/00000000000000000000000000/"))).toEqual([]);
});

test("a screen reader hears each milestone once and the ticking timer never", async ({ page }) => {
  await page.clock.install();
  const link = await openLink(page);
  const left = () => secondsLeft(page);
  // The server's clock does not jump with the page's, so an answer would set the page's clock back.
  await page.route(`**/pay/${link.reference}/status`, (route) => route.abort());
  await expect(page.locator("#timer")).toHaveAttribute("aria-hidden", "true");
  for (const [at, text] of [
    [9 * 60 + 55, "10 minutes left"],
    [4 * 60 + 55, "5 minutes left"],
    [55, "1 minute left"],
  ] as const) {
    await page.clock.fastForward(((await left()) - at) * 1_000);
    await expect(page.getByRole("status")).toHaveText(text);
  }
  await expect(page.getByText("Less than a minute is left")).toBeVisible();
  await expect(page.getByText("Little time is left")).toBeHidden();
});
