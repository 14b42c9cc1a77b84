import { type Logger, pino } from "pino";
import { settings } from "./env.ts";
import { requestIdHere } from "./request-scope.ts";

/** Names of fields that may contain a secret. The log hides their values in an object, down to three levels. */
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

function namedByRequest(): { requestId?: string } {
  const requestId = requestIdHere();
  return requestId === undefined ? {} : { requestId };
}

/** Returns the logger of this process. It writes one JSON line for each entry to standard output, with the id of the request that it is about. */
export function log(): Logger {
  root ??= pino({
    level: settings().LOG_LEVEL,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    mixin: namedByRequest,
    redact: { paths: redactedPaths, censor: "[redacted]" },
  });
  return root;
}

/** The log line of a request. Its only free text of a client is the path, without the query, and the public key. */
export interface RequestLine {
  requestId: string;
  merchantId: string | undefined;
  /** Only for a caller without a merchant. */
  address?: string | null | undefined;
  publicKey?: string | null | undefined;
  method: string;
  path: string;
  status: number;
  code: string | undefined;
  durationMs: number;
}

/** Lines are collected for this long and then written together. A later line, a stop signal and a crash write them earlier. */
const WRITTEN_WITHIN_MS = 100;
const WRITTEN_AT_BYTES = 4_096;

let lines: Logger | undefined;

/**
 * Logs that a request was answered. There is a line for each request, so nothing is redacted (its fields are known) and nothing waits for the
 * write. The lines that a killed process (SIGKILL) has not written are lost: at most those of the last 100 ms.
 */
export function logAnswered(line: RequestLine): void {
  lines ??= pino(
    { level: settings().LOG_LEVEL, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: false, minLength: WRITTEN_AT_BYTES, periodicFlush: WRITTEN_WITHIN_MS }),
  );
  lines.info(line, "request");
}

/**
 * Returns the fields of an error that may be logged. A database error also has the statement's parameters (in Drizzle's message and beside
 * that of postgres.js) and the row's values in its detail, and these may be secret. Keeps only the database's message, code and names.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const root = rootCause(error);
  const { code, constraint_name: constraint, table_name: table } = root as Error & Record<string, unknown>;
  // The framework's digest of the error, which the page shows too.
  const { digest } = error as Error & { digest?: unknown };
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return { digest, type: root.name, message: root.message, code, constraint, table, stack: frames?.join("\n") };
}

function rootCause(error: Error): Error {
  let root = error;
  while (root.cause instanceof Error) root = root.cause;
  return root.message.startsWith("Failed query:") ? new Error("a query failed") : root;
}
