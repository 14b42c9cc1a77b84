import { RETURN_AFTER_S } from "../times.ts";
import { byId, heading, note, show } from "./page.ts";

const done = `returned:${location.pathname}`;

let count: number | undefined;

/** Sends a payer who has just paid back to the shop, once, unless the payer chooses to stay. In a frame, the shop's own page decides. */
export function goBackSoon(): void {
  clearInterval(count);
  const link = byId("return") as HTMLAnchorElement | null;
  const seconds = byId("seconds");
  if (link?.dataset.automatic !== "yes" || !seconds || parent !== window || remembered()) return;
  show("returning", true);
  let left = RETURN_AFTER_S;
  count = window.setInterval(() => {
    left -= 1;
    seconds.textContent = String(left);
    if (left > 0) return;
    leave();
    location.assign(link.href);
  }, 1_000);
  byId("stay")?.addEventListener("click", () => {
    clearInterval(count);
    remember();
    show("returning", false);
    heading()?.focus();
  });
}

/** Returns the visible text about going back to the shop, or an empty one. */
export const returning = () => (byId("returning")?.hidden === false ? byId("returning")?.textContent : "");

/** Stops the countdown and records that the payer goes back to the shop, by a click or by the countdown. */
export function leave(): void {
  clearInterval(count);
  remember();
  note("returned");
}

// A browser may forbid storage. Then the page forgets that it already sent the payer back.
function remembered(): boolean {
  try {
    return sessionStorage.getItem(done) !== null;
  } catch {
    return false;
  }
}

function remember(): void {
  try {
    sessionStorage.setItem(done, "1");
  } catch {
    return;
  }
}
