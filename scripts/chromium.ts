import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

/** Headless Shell comes first, because it is Chromium without its window code, and takes two thirds of the time. */
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const installed = () => [process.env.CHROMIUM_PATH, ...PLACES, chromium.executablePath()].find((path) => path && existsSync(path));

/**
 * Returns the path of a Chromium. If none is installed, installs Debian's package (as root) or Playwright's download.
 * Throws an Error that says what to do if both fail.
 */
export function ensureChromium(): string {
  const present = installed();
  if (present) return present;
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: "inherit" }).status === 0;
  console.log("No Chromium here; installing one …");
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const install = (name: string) => run("apt-get", "install", "-y", "-qq", name);
    if (run("apt-get", "update", "-qq") && !install("chromium-headless-shell")) install("chromium");
  }
  if (!installed()) run("npx", "playwright", "install", "chromium");
  const now = installed();
  if (!now) throw new Error("The browser tests need Chromium. Install it, or name it: CHROMIUM_PATH=/path/to/chromium npm test");
  return now;
}
