import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../server/runtime.ts";
import { until } from "./until.ts";

const NEXT = join(ROOT, "node_modules/next/dist/bin/next");

export interface BareApp {
  folder: string;
  remove(): void;
}

/**
 * Builds an application of a page without anything of ours, by the same framework with the same settings. Its page `/styled` has the
 * stylesheet of our build, and nothing else of ours.
 */
export async function buildBareApp(): Promise<BareApp> {
  const folder = join(ROOT, ".data", `bare-${process.pid}`);
  mkdirSync(join(folder, "app"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"name":"bare","private":true}');
  writeFileSync(join(folder, "next.config.mjs"), `export default { turbopack: { root: ${JSON.stringify(ROOT)} } };`);
  writeFileSync(join(folder, "app/layout.js"), "export default ({ children }) => <html><body>{children}</body></html>;");
  writeFileSync(join(folder, "app/page.js"), "export default () => <p>Bare</p>;");
  mkdirSync(join(folder, "app/styled"));
  mkdirSync(join(folder, "public"));
  writeFileSync(join(folder, "public/style.css"), ourStyles());
  writeFileSync(
    join(folder, "app/styled/page.js"),
    'export default () => <><link rel="stylesheet" href="/style.css" precedence="high" /><p>Bare</p></>;',
  );
  await promisify(execFile)(process.execPath, [NEXT, "build"], { cwd: folder });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function ourStyles(): string {
  const folder = join(ROOT, ".next/static/chunks");
  const files = readdirSync(folder).filter((name) => name.endsWith(".css"));
  if (files.length === 0) throw new Error(`no stylesheet in ${folder}`);
  return files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

/** Runs a bare application. Returns a function that stops it. */
export async function startBareApp({ folder }: BareApp, port: number): Promise<() => Promise<void>> {
  const child: ChildProcess = spawn(process.execPath, [NEXT, "start", "-p", String(port)], { cwd: folder, stdio: "ignore" });
  const ended = once(child, "exit");
  await until(async () => (await fetch(`http://localhost:${port}/`).catch(() => undefined))?.ok);
  return async () => {
    child.kill("SIGTERM");
    await ended;
  };
}
