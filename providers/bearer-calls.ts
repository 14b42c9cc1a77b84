import { request } from "undici";
import { log } from "#lib/log.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { throughBreaker } from "./breaker.ts";

/** One deadline covers connection, headers and body, so that nothing is sent after it. */
export const TIMEOUT_MS = 8_000;

export interface Reply {
  status: number;
  body: unknown;
  /** The provider's time, as its header says it. */
  date?: string | undefined;
}

/** A call that got no answer. */
export const NO_ANSWER: Reply = { status: 0, body: null };

export type Call = (method: "GET" | "POST", path: string, body?: Record<string, unknown>) => Promise<Reply>;

/** Returns a function that calls a provider with a key. It rejects if there is no answer in JSON, of at most 1 MB, within 8 s. */
export const bearerCalls =
  (url: string, secretKey: string): Call =>
  (method, path, body) =>
    send({ method, url: `${url}${path}`, authorization: `Bearer ${secretKey}`, body, signal: AbortSignal.timeout(TIMEOUT_MS) });

interface Sending {
  method: "GET" | "POST";
  url: string;
  authorization: string;
  body?: Record<string, unknown> | undefined;
  /** The deadline. */
  signal: AbortSignal;
}

/**
 * Sends a request. Rejects if there is no answer in JSON, of at most 1 MB, before its deadline, and with `NotSent` while the provider is held back
 * (`throughBreaker`). The log has a line for each, without query, content and key.
 */
export async function send(sending: Sending): Promise<Reply> {
  const { method, url } = sending;
  const { origin, pathname: path } = new URL(url);
  const elapsedMs = startStopwatch();
  let status: number | undefined;
  try {
    const reply = await throughBreaker(origin, () => sendOnce(sending));
    status = reply.status;
    return reply;
  } finally {
    log().info({ origin, method, path, status, durationMs: Math.round(elapsedMs()) }, "call to a provider");
  }
}

async function sendOnce({ method, url, authorization, body, signal }: Sending): Promise<Reply> {
  const reply = await request(url, {
    method,
    headers: { authorization, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  });
  const { date } = reply.headers;
  return { status: reply.statusCode, body: JSON.parse(await readText(reply.body)), ...(typeof date === "string" && { date }) };
}

const MAX_BYTES = 1024 * 1024;

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error("a provider's answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
