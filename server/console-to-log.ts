import { format } from "node:util";
import { describeError, log } from "#lib/log.ts";

const MAX_CHARACTERS = 500;
const LEVELS = { log: "info", info: "info", debug: "debug", trace: "debug", warn: "warn", error: "error" } as const;

const said = (part: unknown) => (part instanceof Error ? JSON.stringify(describeError(part)) : part);

/**
 * Has the framework and the runtime speak through our log, as one JSON string each: what a stranger makes them print cannot begin a
 * line, and an error says of itself only what our log lets it say.
 */
export function sendConsoleToLog(): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, (typeof LEVELS)[keyof typeof LEVELS]][]) {
    console[method] = (...parts: unknown[]) => log()[level]({ said: format(...parts.map(said)).slice(0, MAX_CHARACTERS) }, "framework");
  }
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log().warn({ err: warning }, "runtime"));
}
