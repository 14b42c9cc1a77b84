import type { ErrorCode } from "#lib/problem.ts";
import { Refused } from "./call.ts";

/**
 * What a person meant by one click: a body, and the Idempotency-Key that belongs to it. It stays in the tab's storage until there is an answer,
 * so that after a reload, after "Back" or at a second click the same request is sent with the same key.
 */
export interface Intent {
  body: string;
  key: string;
  /** Whether the body was sent and got no answer yet. */
  isSent: boolean;
}

const KEY_BYTES = 16;
const PREFIX = "oja-intent:";

/** `crypto.randomUUID` would need https. */
const newKey = () => [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the intent that is kept under a name, if it was sent and has no answer. */
export function unansweredIntent(name: string): Intent | undefined {
  const kept = read(name);
  return kept?.isSent ? kept : undefined;
}

/**
 * Sends a body with the key of its intent. The same body after a lost answer has the same key; another body is another intent. Throws the
 * errors of `send`.
 */
export async function sendIntent<T>(name: string, body: unknown, send: (idempotencyKey: string) => Promise<T>): Promise<T> {
  const text = JSON.stringify(body);
  const kept = read(name);
  const intent: Intent = kept?.body === text ? kept : { body: text, key: newKey(), isSent: false };
  const wasSent = intent.isSent;
  write(name, { ...intent, isSent: true });
  try {
    const answer = await send(intent.key);
    forgetIntent(name);
    return answer;
  } catch (error) {
    const isRefused = error instanceof Refused && error.outcome === "not_executed";
    if (isRefused && !(wasSent && BEFORE_THE_KEY.has(error.code))) forgetIntent(name);
    throw error;
  }
}

/** The server gives these refusals before it looks up the key, so they do not show whether an earlier attempt was executed. */
const BEFORE_THE_KEY = new Set<ErrorCode>([
  "MISSING_CREDENTIALS",
  "PERMISSION_DENIED",
  "RESOURCE_NOT_FOUND",
  "SERVICE_NOT_ENABLED",
  "MERCHANT_SUSPENDED",
  "RATE_LIMITED",
]);

export function forgetIntent(name: string): void {
  memory.delete(name);
  try {
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // The browser keeps nothing for this site, so nothing is there.
  }
}

/** For browsers that block storage: the keys are kept in memory, until the page is left. */
const memory = new Map<string, Intent>();

function read(name: string): Intent | undefined {
  try {
    const text = sessionStorage.getItem(PREFIX + name);
    return text === null ? memory.get(name) : JSON.parse(text);
  } catch {
    // The browser keeps nothing for this site, or another program wrote there.
    return memory.get(name);
  }
}

function write(name: string, intent: Intent): void {
  memory.set(name, intent);
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(intent));
  } catch {
    // The browser keeps nothing for this site: the key is in memory.
  }
}
