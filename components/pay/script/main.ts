// The script of the payer's page. It keeps the status up to date; without it, the page still works.
import { showNotice } from "./clock.ts";
import { copyDigits, share } from "./copy.ts";
import { check, follow, known } from "./follow.ts";
import { leave } from "./leave.ts";
import { byId, versionShown, words } from "./page.ts";
import { tellThat } from "./sent.ts";

document.documentElement.classList.add("js");

/** Checks the status for a payer who pressed the button, and always shows and says the result. */
async function checkNow(): Promise<void> {
  showNotice(words("checking"));
  const before = known(versionShown());
  const outcome = await check();
  if (outcome === "another asks") return;
  const isNews = known(versionShown()) !== before;
  const nothing = byId("page")?.dataset.seen === "0" ? "noNews" : "nothingNew";
  showNotice(isNews ? "" : words(outcome === "answered" ? nothing : "noAnswer"));
}

document.addEventListener("submit", (event) => {
  const { id } = event.target as Element;
  if (id !== "send" && id !== "unsend" && id !== "check") return;
  event.preventDefault();
  if (id === "check") return void checkNow();
  tellThat(id === "send" ? "sent" : "unsent");
  void check();
});

// A question that opens is seen whole. The bar of test mode stays as it is, over the reload after each of its buttons.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement)) return;
    if (target.id === "doubt" && target.open) target.scrollIntoView({ block: "nearest" });
    if (target.id !== "panel") return;
    const url = new URL(location.href);
    if (target.open) url.searchParams.set("panel", "");
    else url.searchParams.delete("panel");
    history.replaceState(null, "", url);
  },
  true,
);

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
