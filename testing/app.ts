import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { freePort } from "../server/embedded-postgres.ts";
import { ROOT } from "../server/runtime.ts";
import { until } from "./until.ts";

export interface App {
  url: string;
  /** Everything that it has written to its log. */
  log(): string;
}

/**
 * Runs the production build on this file's database, after `withDatabase`. The sandbox that this process's services talk to is the
 * app's own, as in production.
 */
export function withApp(env: Record<string, string> = {}): App {
  let child: ChildProcess | undefined;
  const output: string[] = [];
  const app: App = { url: "", log: () => output.join("") };
  beforeAll(async () => {
    const port = await freePort();
    app.url = `http://127.0.0.1:${port}`;
    Object.assign(process.env, { PORT: String(port), BASE_URL: app.url, SANDBOX_URL: app.url });
    child = fork(join(ROOT, "server/web.ts"), {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: "production", LOG_LEVEL: "info", WEB_CONCURRENCY: "1", ...env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      execArgv: [],
    });
    child.stdout?.on("data", (chunk) => output.push(String(chunk)));
    child.stderr?.on("data", (chunk) => output.push(String(chunk)));
    const ended = once(child, "exit").then(() => {
      throw new Error(`the app ended: ${output.join("")}`);
    });
    ended.catch(() => undefined);
    await Promise.race([ended, until(async () => (await fetch(`${app.url}/health`).catch(() => undefined))?.ok, 30_000)]);
  });
  afterAll(async () => {
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  });
  return app;
}
