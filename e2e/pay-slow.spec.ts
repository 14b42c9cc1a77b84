import { expect, test } from "@playwright/test";
import { openLink } from "./browser.ts";
import { createLink } from "./merchant.ts";

/** 400 ms of latency and 400 kbit/s each way. The test also slows the processor to a quarter. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: (400 * 1024) / 8, uploadThroughput: (400 * 1024) / 8 };

test.use({ viewport: { width: 360, height: 720 }, hasTouch: true });

test("on slow 3G and a slow phone the page stays within its budget, and its times are printed", async ({ page, context }) => {
  await openLink(page);
  const link = await createLink({ amount: 7_250.5, description: "Two trays of jollof and a very cold zobo" });
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.clearBrowserCache");
  await client.send("Network.emulateNetworkConditions", SLOW_3G);
  await client.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  let bytes = 0;
  const urls: string[] = [];
  client.on("Network.requestWillBeSent", ({ request }) => request.url.startsWith("http") && urls.push(request.url));
  client.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(() => {
    const seen = { lcp: 0, copyWorks: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      seen.lcp = list.getEntries().at(-1)?.startTime ?? 0;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new MutationObserver(() => {
      if (document.documentElement.classList.contains("js") && seen.copyWorks === 0) seen.copyWorks = performance.now();
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ["class"] });
  });
  await page.goto(link.payment_link, { waitUntil: "networkidle" });
  const read = () =>
    page.evaluate(() => {
      const { lcp, copyWorks } = (window as unknown as { seen: { lcp: number; copyWorks: number } }).seen;
      const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
      return { firstPaintMs: Math.round(paint), lcpMs: Math.round(lcp), copyWorksAfterMs: Math.round(copyWorks) };
    });
  // On a slow machine the browser reports a paint after the network is idle.
  await expect.poll(async () => Math.min(...Object.values(await read()))).toBeGreaterThan(0);
  const figures = await read();
  console.log(`slow 3G: ${JSON.stringify({ ...figures, bytes, requests: urls.length })}`);
  expect(bytes).toBeLessThanOrEqual(20 * 1024);
  expect(urls.length).toBeLessThanOrEqual(4);
});
