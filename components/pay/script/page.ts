// The script reads its values from attributes of the server's page. It reads them each time, because a newer page may replace that page.

export const byId = (id: string) => document.getElementById(id);

const data = () => byId("page")?.dataset ?? {};

export const versionShown = () => data().version;
export const statusShown = () => data().status ?? "";
export const reference = location.pathname.split("/")[2] ?? "";
export const at = (verb: string) => `/pay/${reference}/${verb}${location.search}`;
/** The heading that is shown: the page has one for each thing that it may be about. */
export const heading = () => [...document.querySelectorAll("h1")].find((each) => each.offsetParent);
export const numberOf = (name: "now" | "expires" | "sent"): number => Number(data()[name]);

/** Returns a text that only the script shows, in the page's language. */
export function words(key: string, n: number | string = ""): string {
  const all: Record<string, string> = JSON.parse(data().words ?? "{}");
  return (all[key] ?? "").replace("{n}", String(n));
}

let saying: number | undefined;
const unsaid: string[] = [];

/**
 * Says a text in the page's one live region. Empties it first, so that screen readers say a repeated text again. Texts within 50 ms are
 * said together.
 */
export function say(text: string): void {
  const line = byId("news");
  if (!line || !text.trim()) return;
  unsaid.push(text.trim());
  line.textContent = "";
  clearTimeout(saying);
  saying = window.setTimeout(() => {
    line.textContent = unsaid.splice(0).join(" ");
  }, 50);
}

/** Records an action in the merchant's timeline. The browser sends it even while the page closes, and the script does not wait. */
export function note(kind: "copied" | "returned"): void {
  navigator.sendBeacon?.(at("activity"), new URLSearchParams({ kind }));
}

/** Says a text and drops waiting ones, because those were about the replaced page. */
export function sayNews(text: string): void {
  unsaid.length = 0;
  say(text);
}

export function show(id: string, visible: boolean): void {
  const element = byId(id);
  if (element && element.hidden === visible) element.hidden = !visible;
}
