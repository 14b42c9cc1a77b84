import { format } from "node:util";
import { describeError, log } from "#lib/log.ts";

const MAX_CHARACTERS = 500;
const LEVELS = { log: "info", info: "info", debug: "debug", trace: "debug", warn: "warn", error: "error" } as const;

const withoutSecrets = (part: unknown) => (part instanceof Error ? JSON.stringify(describeError(part)) : part);

/**
 * Sends the output of the framework and the runtime to our log, each message as one JSON string. So text from a stranger cannot begin a
 * log line, and an error shows only the fields that our log allows.
 */
export function sendConsoleToLog(): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, (typeof LEVELS)[keyof typeof LEVELS]][]) {
    console[method] = (...parts: unknown[]) =>
      log()[level]({ said: format(...parts.map(withoutSecrets)).slice(0, MAX_CHARACTERS) }, "framework");
  }
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log().warn({ err: warning }, "runtime"));
}
