/** The page as the server has made it: what the script knows comes from its attributes, and is read anew when the page is. */
export const byId = (id: string) => document.getElementById(id);

const data = () => byId("page")?.dataset ?? {};

export const versionShown = () => data().version;
export const statusShown = () => data().status ?? "";
export const reference = location.pathname.split("/")[2] ?? "";
export const at = (verb: string) => `/pay/${reference}/${verb}${location.search}`;
export const numberOf = (name: "now" | "expires" | "sent"): number => Number(data()[name]);

/** The languages' strings that only a script can say. */
export function words(key: string, n: number | string = ""): string {
  const all: Record<string, string> = JSON.parse(data().words ?? "{}");
  return (all[key] ?? "").replace("{n}", String(n));
}

let saying: number | undefined;
const unsaid: string[] = [];

/** In the page's one live region. Emptied first, so that what is said a second time is heard a second time; what comes at once is said together. */
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

/** A note for the merchant's timeline. Sent even as the page is left; nobody waits for it. */
export function note(kind: "copied" | "returned"): void {
  navigator.sendBeacon?.(at("activity"), new URLSearchParams({ kind }));
}

/** In the place of whatever has not been said yet: it was about a page that is gone. */
export function sayNews(text: string): void {
  unsaid.length = 0;
  say(text);
}

export function show(id: string, visible: boolean): void {
  const element = byId(id);
  if (element && element.hidden === visible) element.hidden = !visible;
}
