import { type Logger, pino } from "pino";
import { settings } from "./env.ts";

/** Names under which a secret may travel. A logged object never shows their values, however deep within three levels. */
const SECRET_NAMES = [
  "secret",
  "password",
  "pan",
  "cvv",
  "token",
  "pin",
  "signature",
  "authorization",
  "cookie",
  "x-api-secret",
  "x-api-key",
];
const redactedPaths = SECRET_NAMES.flatMap((name) => {
  const key = /^\w+$/.test(name) ? name : `["${name}"]`;
  const join = key.startsWith("[") ? "" : ".";
  return [key, `*${join}${key}`, `*.*${join}${key}`];
});

let root: Logger | undefined;

/** One JSON line an entry, to standard output. */
export function log(): Logger {
  root ??= pino({
    level: settings().LOG_LEVEL,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: { paths: redactedPaths, censor: "[redacted]" },
  });
  return root;
}

/**
 * What may be said of an error. A database error names its statement's parameters (Drizzle in the message, postgres.js beside it) and
 * the values of a row in its detail, and those may be anything: only the database's own message, its code and names are kept.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const root = rootCause(error);
  const { code, constraint_name: constraint, table_name: table } = root as Error & Record<string, unknown>;
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return { type: root.name, message: root.message, code, constraint, table, stack: frames?.join("\n") };
}

function rootCause(error: Error): Error {
  let root = error;
  while (root.cause instanceof Error) root = root.cause;
  return root.message.startsWith("Failed query:") ? new Error("a query failed") : root;
}
