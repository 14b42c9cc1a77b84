// The payer's page, alive. Without it everything is still readable; with it, the status follows the bank.
import { serverNow, showNotice } from "./clock.ts";
import { copyDigits, share } from "./copy.ts";
import { check, follow } from "./follow.ts";
import { tellFrame } from "./frame.ts";
import { leave } from "./leave.ts";
import { at, byId, say, show, versionShown, words } from "./page.ts";

const TELL_AGAIN_MS = 2_000;
const TELL_AT_LEAST_EVERY_MS = 60_000;

document.documentElement.classList.add("js");

/** Shown at once: the server is told meanwhile, and every page of this link then says so. */
function sent(): void {
  const page = byId("page");
  if (page) page.dataset.sent = String(serverNow());
  show("send", false);
  byId("check")?.removeAttribute("class");
  show("sent", true);
  byId("sent")?.focus();
  byId("details")?.removeAttribute("open");
  // The focus has said that we check; this is what it means.
  say(byId("soon")?.lastElementChild?.textContent ?? "");
  tellFrame();
  void tell(new URLSearchParams({ kind: "sent", seen: page?.dataset.seen ?? "0" }), TELL_AGAIN_MS);
}

/** For who has asked: seen and said, also where there is no news. */
async function checkNow(): Promise<void> {
  showNotice(words("checking"));
  const version = versionShown();
  const isAnswered = await check();
  if (versionShown() === version) showNotice(words(isAnswered ? "noNews" : "noAnswer"));
  else showNotice("");
}

/** Until the server knows, or the page has other news: who has just come back from another app often has no network for a moment. */
async function tell(body: URLSearchParams, waitMs: number): Promise<void> {
  const isTold = await fetch(at("activity"), { method: "POST", body, keepalive: true }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isTold) setTimeout(() => !byId("sent")?.hidden && void tell(body, Math.min(waitMs * 2, TELL_AT_LEAST_EVERY_MS)), waitMs);
}

document.addEventListener("submit", (event) => {
  const { id } = event.target as Element;
  if (id !== "send" && id !== "check") return;
  event.preventDefault();
  if (id === "send") {
    sent();
    void check();
  } else void checkNow();
});

document.addEventListener("click", (event) => {
  const button = (event.target as Element).closest<HTMLElement>("button, #return");
  if (!button) return;
  if (button.dataset.copy) void copyDigits(button);
  if (button.dataset.fire) dispatchEvent(new Event(button.dataset.fire));
  if (button.id === "share") share(button);
  if (button.id === "print") print();
  if (button.id === "return") leave();
});

if (versionShown()) follow();
const again = Number(byId("page")?.dataset.again);
if (again) setTimeout(() => location.reload(), again * 1_000);
