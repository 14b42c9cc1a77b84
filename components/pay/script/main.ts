// The payer's page, alive. Without it everything is still readable; with it, the status follows the bank.
import { serverNow, showAgeFor } from "./clock.ts";
import { copyDigits, share } from "./copy.ts";
import { check, follow } from "./follow.ts";
import { leave } from "./leave.ts";
import { at, byId, note, say, show, versionShown } from "./page.ts";

/** Whoever asks for the news is told how old it is, also where it is no news. */
const CHECKED_FOR_MS = 5_000;

document.documentElement.classList.add("js");

/** Shown at once: the server is told meanwhile, and every page of this link then says so. */
function sent(): void {
  const page = byId("page");
  if (page) page.dataset.sent = String(serverNow());
  show("send", false);
  byId("check")?.removeAttribute("class");
  show("sent", true);
  byId("sent")?.focus();
  say(byId("soon")?.firstElementChild?.textContent ?? "");
  fetch(at("activity"), { method: "POST", body: new URLSearchParams({ kind: "sent" }), keepalive: true }).catch(() => undefined);
}

document.addEventListener("submit", (event) => {
  const { id } = event.target as Element;
  if (id !== "send" && id !== "check") return;
  event.preventDefault();
  if (id === "send") sent();
  else showAgeFor(CHECKED_FOR_MS);
  void check();
});

document.addEventListener("click", (event) => {
  const button = (event.target as Element).closest<HTMLElement>("button, #return");
  if (!button) return;
  if (button.dataset.copy) copyDigits(button);
  if (button.dataset.fire) dispatchEvent(new Event(button.dataset.fire));
  if (button.id === "share") share(button);
  if (button.id === "print") print();
  if (button.id === "return") leave();
});

if (versionShown()) {
  follow();
  note("opened");
}
const again = Number(byId("page")?.dataset.again);
if (again) setTimeout(() => location.reload(), again * 1_000);
