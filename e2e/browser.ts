import { createServer } from "node:http";
import { expect, type Frame, type Page } from "@playwright/test";
import axe from "axe-core";
import { createLink } from "./merchant.ts";

/** Starts a shop's server. It answers every request with the given page and records the visits. */
export async function aShop(html = "<title>Thank you</title>") {
  const visits: { url: string; referer: string | undefined }[] = [];
  const server = createServer((request, response) => {
    visits.push({ url: request.url ?? "", referer: request.headers.referer });
    response.setHeader("Content-Type", "text/html").end(html);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}`, visits, close: () => server.close() };
}

const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Runs axe in the page itself: axe's own driver opens a second page for each run, which takes ten times as long. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  // Axe waits for an answer of its own copy in every frame, so each frame needs one.
  for (const frame of page.frames()) await putAxeInto(frame);
  const found = await page.evaluate(async (tags) => {
    const { violations } = await (Reflect.get(window, "axe") as typeof axe).run({ runOnly: tags, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  }, AXE_TAGS);
  expect(found).toEqual([]);
}

async function putAxeInto(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => Reflect.has(window, "axe")))) await frame.evaluate(axe.source);
}

/** Fails if an element reaches beyond the right edge of the screen. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll("body *")]
      // A phone clips the head of a table, and cuts a long name of a row short.
      .filter((element) => !element.matches(".data-table :is(thead, .row-link) *"))
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );
  expect(wide).toEqual([]);
}

/** Fails if a control is smaller than 24 by 24 pixels (WCAG 2.2, 2.5.8). The link of a row is stretched over the row, which is larger. */
export const expectTargetsOf24Pixels = (page: Page): Promise<void> => expectTargetsOf(page, 24);

/** Fails if a control is smaller than a thumb. */
export const expectTargetsOf44Pixels = (page: Page): Promise<void> => expectTargetsOf(page, 44);

async function expectTargetsOf(page: Page, pixels: number): Promise<void> {
  const small = await page.evaluate(
    (least) =>
      [...document.querySelectorAll<HTMLElement>("a:not(.row-link), button, summary, input:not([type=hidden])")]
        // A skip link is clipped until the keyboard focuses it.
        .filter((target) => target.checkVisibility() && getComputedStyle(target).clipPath === "none")
        // The link of a row is stretched over the row, and a link within a text is as high as its line.
        .filter((target) => !target.matches(".row-link, p a, dd a"))
        // A radio button within its label is as large as the label.
        .map((target) => ({ text: target.textContent, box: (target.closest("label") ?? target).getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < least || box.height < least))
        .map(({ text, box }) => `${text}: ${box.width} × ${box.height}`),
    pixels,
  );
  expect(small).toEqual([]);
}

export const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Returns the seconds that the countdown shows. */
export async function secondsLeft(page: Page): Promise<number> {
  const [minutes = 0, seconds = 0] = ((await page.locator("#timer").textContent()) ?? "").split(":").map(Number);
  return minutes * 60 + seconds;
}

/** Stops the clock of a page, and of each page that it opens. Only `page.clock.runFor` moves it, until `page.clock.resume`. */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.install();
  // One second ahead, because Playwright cannot move a running clock backwards.
  await page.clock.pauseAt(Date.now() + 1_000);
}

/** Presses a button or a link of the test mode bar, which stays open once it is. */
export async function simulate(page: Page, name: string): Promise<void> {
  if ((await page.locator("#panel").getAttribute("open")) === null) await page.getByText("Simulate", { exact: true }).click();
  const panel = page.getByRole("complementary", { name: "Test mode" });
  await panel
    .getByRole("button", { name, exact: true })
    .or(panel.getByRole("link", { name, exact: true }))
    .click();
}

export async function openLink(page: Page, fields: Record<string, unknown> = {}) {
  const link = await createLink(fields);
  await page.goto(link.payment_link);
  return link;
}
