import { note, say, words } from "./page.ts";

const SHOWN_FOR_MS = 2_000;

export async function copyFrom(button: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyTheOldWay(text);
  }
  const label = button.firstChild;
  if (!label) return;
  const before = label.textContent;
  const copied = `${words("copied")} `;
  if (before === copied) return;
  label.textContent = copied;
  say(button.textContent ?? "");
  setTimeout(() => {
    label.textContent = before;
  }, SHOWN_FOR_MS);
}

// The clipboard API is missing on plain http and in some in-app browsers.
function copyTheOldWay(text: string): void {
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("readonly", "");
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

export function copyDigits(button: HTMLElement): void {
  note("copied");
  void copyFrom(button, button.dataset.copy ?? "");
}

/** By whatever the phone shares with; where there is nothing, the link is copied. */
export function share(button: HTMLElement): void {
  const url = button.dataset.url ?? "";
  if (!navigator.share) return void copyFrom(button, url);
  // Whoever closes the sheet has changed their mind, which is no failure.
  navigator.share({ title: document.title, url }).catch(({ name }) => (name === "AbortError" ? undefined : copyFrom(button, url)));
}
