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
    redact: { paths: redactedPaths, censor: "[redacted]" },
  });
  return root;
}
