import { showNotice } from "./clock.ts";
import { note, say, words } from "./page.ts";

const SHOWN_FOR_MS = 2_000;

/** Copies the text and says so. Claims success only if the browser copied: a payer who pastes another number pays another person. */
async function copyFrom(button: HTMLElement, text: string): Promise<boolean> {
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (!isCopied && !copyTheOldWay(text)) {
    showNotice(words("copyByHand"));
    return false;
  }
  showBriefly(button, `${words("copied")} `);
  say(button.textContent ?? "");
  return true;
}

function showBriefly(button: HTMLElement, text: string): void {
  const label = button.firstChild;
  if (!label) return;
  button.dataset.label ??= label.textContent ?? "";
  label.textContent = text;
  setTimeout(() => {
    label.textContent = button.dataset.label ?? "";
  }, SHOWN_FOR_MS);
}

// The clipboard API is missing on plain http and in some in-app browsers.
function copyTheOldWay(text: string): boolean {
  const field = document.createElement("textarea");
  const before = document.activeElement;
  field.value = text;
  field.className = "sr-only";
  document.body.append(field);
  field.focus({ preventScroll: true });
  // Safari ignores `select()` and needs this call.
  field.setSelectionRange(0, text.length);
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}

export async function copyDigits(button: HTMLElement): Promise<void> {
  if (await copyFrom(button, button.dataset.copy ?? "")) note("copied");
}

/** Opens the phone's share sheet. Copies the link if the browser has no share sheet or if it fails. */
export function share(button: HTMLElement): void {
  const url = button.dataset.url ?? "";
  if (!navigator.share) return void copyFrom(button, url);
  // AbortError means that the payer closed the share sheet, which is no failure.
  navigator.share({ title: document.title, url }).catch(({ name }) => (name === "AbortError" ? undefined : copyFrom(button, url)));
}
