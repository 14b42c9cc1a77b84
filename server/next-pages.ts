import next from "next";
import { settings } from "#lib/env.ts";
import type { Handle } from "./http-server.ts";
import { ROOT } from "./runtime.ts";

/** Returns Next's handler, once Next is ready. It answers pages and Next's own files, and in development every request. */
export async function nextPages(dev: boolean): Promise<Handle> {
  const app = next({ dev, dir: ROOT, port: settings().PORT, hostname: "0.0.0.0" });
  await app.prepare();
  return app.getRequestHandler();
}
