import { type Browser, type ConsoleMessage, expect, type Page } from "@playwright/test";
import { expectNoAxeViolations, expectNoSidewaysScrolling, expectTargetsOf24Pixels } from "./browser.ts";

const WIDTHS = [360, 1440] as const;
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** Runs `walk` on a new page for each look: phone and desktop, light and dark. Fails if a page writes to the console or throws. */
export async function inEveryLook(browser: Browser, walk: (page: Page, look: string) => Promise<void>): Promise<void> {
  for (const width of WIDTHS) for (const theme of THEMES) await inLook(browser, width, theme, (page) => walk(page, `${width}-${theme}`));
}

/** Runs `walk` on a new page for a phone and for a desktop. `expectGoodLook` looks at each of its pages in both themes. */
export async function inEveryWidth(browser: Browser, walk: (page: Page, width: string) => Promise<void>): Promise<void> {
  for (const width of WIDTHS) await inLook(browser, width, "light", (page) => walk(page, String(width)));
}

async function inLook(browser: Browser, width: number, colorScheme: Theme, walk: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
  const page = await context.newPage();
  const said: string[] = [];
  page.on("console", (message) => isOurs(message, page) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  await walk(page);
  expect(said).toEqual([]);
  await context.close();
}

/** The browser reports a page that is not found, also where the test asks for it, and scripts of Playwright in a frame without script. */
const isOurs = (message: ConsoleMessage, page: Page): boolean =>
  message.location().url !== page.url() && !message.text().startsWith("Blocked script execution in");

/**
 * Fails if the open page has not one heading, moves while it loads, has a finding of axe or a control that is too small, or does not fit its
 * window, also with the browser's text twice as large. Saves its photographs in both themes under this name. Only axe sees a theme.
 */
export async function expectGoodLook(page: Page, name: string): Promise<void> {
  await expect(page.locator("h1")).toHaveCount(1);
  expect(await layoutShift(page), name).toBeLessThanOrEqual(0.02);
  await expectNoSidewaysScrolling(page);
  await expectTargetsOf24Pixels(page);
  await photographInBothThemes(page, name);
  await removeFramesWithoutScript(page);
  await setTheme(page, themeOfAxe(page));
  await expectNoAxeViolations(page);
  await setTheme(page, "light");
  await expectToFitLargeText(page);
}

async function photographInBothThemes(page: Page, name: string): Promise<void> {
  if (!TAKES_PHOTOGRAPHS) return;
  for (const theme of THEMES) {
    await setTheme(page, theme);
    await photograph(page, `${name}-${theme}`);
  }
}

/** Axe is the slowest check. Its findings depend on width or theme, so a phone in light and a desktop in dark cover each value once. */
const themeOfAxe = (page: Page): Theme => (page.viewportSize()?.width === WIDTHS[0] ? "light" : "dark");

/**
 * Changes the theme as the system does, and finishes all transitions of colours itself. Waiting for them would mean waiting for frames,
 * and a browser that draws no frames would block the journey. The end of one transition may start that of an inner element.
 */
async function setTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => {
    const running = () =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState !== "finished" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    for (let ending = running(); ending.length > 0; ending = running()) for (const animation of ending) animation.finish();
  });
}

/** `PHOTOGRAPHS=no` saves time when no person will look at them. */
const TAKES_PHOTOGRAPHS = process.env.PHOTOGRAPHS !== "no";

/** Saves a photograph of the whole page under this name, for people to look at. */
export async function photograph(page: Page, name: string): Promise<void> {
  if (!TAKES_PHOTOGRAPHS) return;
  await page.screenshot({ path: `.data/screenshots/${name.replaceAll(/\W+/g, "-")}.png`, fullPage: true });
}

/**
 * Axe waits for each of these frames until it gives up, because its script cannot run there. Another journey tests that page. Chromium
 * may keep such a frame in a process of its own, and it ends a moment after its element: returns once no frame of them is left.
 */
async function removeFramesWithoutScript(page: Page): Promise<void> {
  const titles: string[] = [];
  for (const element of await page.locator("iframe[sandbox]").elementHandles()) {
    const frame = await element.contentFrame();
    titles.push((await element.getAttribute("title")) ?? "");
    await element.evaluate((node) => node.parentNode?.removeChild(node));
    await expect.poll(() => page.frames().some((each) => each === frame)).toBe(false);
  }
  expect(titles).not.toContain("");
}

const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          // The type of these entries is not in the library of types.
          for (const entry of list.getEntries()) sum += Number(Reflect.get(entry, "value"));
        });
        observer.observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
      }),
  );

/** Sets the browser's own size of text to twice the usual, as people do in its settings, so that widths in rem count in it too. */
async function expectToFitLargeText(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const setSize = async (standard: number) => {
    await client.send("Page.setFontSizes", { fontSizes: { standard } });
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(`${standard}px`);
  };
  await setSize(32);
  // On a phone a table's head is for screen readers only. The bars around the page are tested by another journey.
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll("main *")]
      .filter((element) => !element.closest("nav, thead, .sr-only") && element.getBoundingClientRect().right > innerWidth)
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );
  expect(wide).toEqual([]);
  await setSize(16);
}
