import { expect, type Locator, type Page } from "@playwright/test";

const MAX_TABS = 120;

/** Presses Tab until an element has the focus. Fails after 120 times. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let i = 0; i < MAX_TABS; i++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(target).toBeFocused();
}

/** Goes to an element by Tab, and presses Enter. */
export async function enterOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

interface Stop {
  name: string;
  isSeen: boolean;
  hasRing: boolean;
}

/** Returns the focused element, or undefined if the focus has left the page. Marks it, so that a second visit is noticed. */
const stopAt = (page: Page): Promise<(Stop & { isSecond: boolean }) | undefined> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return undefined;
    const isSecond = element.dataset.walked === "yes";
    element.dataset.walked = "yes";
    // The link of a table's row has its ring around the row.
    const hasRing = [undefined, "::after"].some((part) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element, part);
      return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    });
    const { width, height, top, bottom } = element.getBoundingClientRect();
    return {
      name: `${element.tagName} ${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}`,
      isSeen: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
      hasRing,
      isSecond,
    };
  });

/** Walks a page by Tab from its start. Fails at an element that is not seen or has no ring, and where the walk does not come to an end. */
export async function walkByTab(page: Page): Promise<number> {
  const wrong: string[] = [];
  for (let stops = 0; stops < MAX_TABS; stops++) {
    await page.keyboard.press("Tab");
    const stop = await stopAt(page);
    if (!stop || stop.isSecond) {
      expect(wrong, page.url()).toEqual([]);
      return stops;
    }
    if (!stop.isSeen) wrong.push(`${stop.name}: not seen`);
    if (!stop.hasRing) wrong.push(`${stop.name}: no ring`);
  }
  throw new Error(`the walk of ${page.url()} does not end`);
}
