// The payer's page, alive. Without it everything is still readable; with it, the status follows the bank.
interface Status {
  version: string;
  now: number;
  expires: number;
  state: string;
}

const POLL_MS = 10_000;
const POLL_AFTER_SENT_MS = 3_000;
const LONGEST_POLL_MS = 60_000;
const MILESTONES_MIN = [10, 5, 1];
const RETURN_AFTER_S = 5;

const root = document.documentElement;
root.classList.add("js");

const byId = (id: string) => document.getElementById(id);
const statusUrl = `${location.pathname.replace(/\/$/, "")}/status`;

let version = document.body.dataset.version ?? "";
let sent = false;
let failures = 0;
let poll: number | undefined;
let heardAt = performance.now();
let said = 99;

/** The server's clock, however wrong the phone's is: what it said last, and how long ago that was. */
let serverNow = Number(document.body.dataset.now);
const now = () => serverNow + (performance.now() - heardAt);
let expires = Number(document.body.dataset.expires);

function say(text: string): void {
  const line = byId("checking");
  if (line && line.textContent !== text) line.textContent = text;
}

function tick(): void {
  const timer = byId("timer");
  if (!timer) return;
  const left = Math.max(0, Math.ceil((expires - now()) / 1000));
  timer.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  for (const minutes of MILESTONES_MIN) {
    if (left > 0 && left <= minutes * 60 && said > minutes) {
      said = minutes;
      if (left > minutes * 60 - 30) say(minutes === 1 ? "1 minute left" : `${minutes} minutes left`);
    }
  }
  const silentFor = Math.round((performance.now() - heardAt) / 1000);
  if (silentFor > 30) say(navigator.onLine ? `Checked ${silentFor} s ago` : `You are offline. Checked ${silentFor} s ago`);
  if (left === 0 && silentFor > 2) check();
}

function schedule(): void {
  clearTimeout(poll);
  if (document.hidden) return;
  const base = sent ? POLL_AFTER_SENT_MS : POLL_MS;
  poll = window.setTimeout(check, Math.min(LONGEST_POLL_MS, base * 2 ** failures));
}

let asking = false;

async function check(): Promise<void> {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch(statusUrl, { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    const status: Status = await answer.json();
    failures = 0;
    heardAt = performance.now();
    serverNow = status.now;
    expires = status.expires;
    if (status.version !== version) await show(status);
    else if (sent) say("Checking with the bank. It is safe to close this page.");
  } catch {
    // Offline, or a server that is busy: the page says how old its news is, and asks again later.
    failures = Math.min(failures + 1, 4);
  } finally {
    asking = false;
    schedule();
  }
}

/** Puts the new state in the place of the old, and the reader at its heading. */
async function show(status: Status): Promise<void> {
  const answer = await fetch(location.pathname, { cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = fresh.getElementById("page");
  const here = byId("page");
  if (!next || !here) return location.reload();
  here.replaceWith(next);
  document.title = fresh.title;
  version = status.version;
  sent = false;
  arrive();
  byId("state")?.focus();
  tick();
}

function arrive(): void {
  const link = byId("return") as HTMLAnchorElement | null;
  if (link?.dataset.automatic === "yes") goBackSoon(link);
}

function goBackSoon(link: HTMLAnchorElement): void {
  const done = `returned:${location.pathname}`;
  const line = byId("returning");
  const seconds = byId("seconds");
  if (!line || !seconds || remembered(done)) return;
  line.hidden = false;
  let left = RETURN_AFTER_S;
  const count = window.setInterval(() => {
    left -= 1;
    seconds.textContent = String(left);
    if (left > 0) return;
    clearInterval(count);
    remember(done);
    location.assign(link.href);
  }, 1000);
  byId("stay")?.addEventListener("click", () => {
    clearInterval(count);
    remember(done);
    line.hidden = true;
    byId("state")?.focus();
  });
}

// A browser may forbid storage; then the page only forgets that it has brought the payer back once.
function remembered(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function remember(key: string): void {
  try {
    sessionStorage.setItem(key, "1");
  } catch {
    return;
  }
}

async function copy(button: HTMLElement): Promise<void> {
  const { copy: text = "", what = "" } = button.dataset;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyTheOldWay(text);
  }
  const label = button.firstChild;
  if (label) label.textContent = "Copied ";
  say(`${what} copied`);
  setTimeout(() => {
    if (label) label.textContent = "Copy ";
  }, 2000);
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

document.addEventListener("click", (event) => {
  const button = (event.target as Element).closest<HTMLElement>("[data-copy]");
  if (button) void copy(button);
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  sent = true;
  say("Checking with the bank. It is safe to close this page.");
  void check();
});

document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(poll) : void check()));
window.addEventListener("online", () => void check());
window.addEventListener("pageshow", () => void check());
setInterval(tick, 1000);
tick();
arrive();
