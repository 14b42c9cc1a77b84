import { type Exchange, type GuardedAnswer, GuardedClient, isOurFault } from "#lib/guarded-request.ts";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";
import { outboundPolicy } from "../endpoints/outbound-policy.ts";
import { signatureOf } from "../endpoints/signature.ts";
import type { DueDelivery } from "./find-due.ts";
import { DEADLINE_MS, reasonOf, reasonOfBreak } from "./reasons-of-failures.ts";
import { retryAfterMs } from "./retry-table.ts";

/** The outcome of one attempt. */
export interface AttemptResult {
  startedAt: Date;
  durationMs: number;
  requestHeaders: Record<string, string>;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  /** The wait that the endpoint's `Retry-After` asks for; 0 without one. */
  retryAfterMs: number;
}

export interface StartedAttempt {
  /** Resolves when the request is sent, or has failed before that. Never rejects. */
  sent: Promise<void>;
  /** Never rejects. Undefined when the attempt does not count: `stop` aborted it, or we had no socket, port or name server for it. */
  result: Promise<AttemptResult | undefined>;
}

/** Sends deliveries. Each mode has its own connections, because the modes may call different addresses. */
export class Sender {
  readonly #clients = { test: new GuardedClient(outboundPolicy("test")), live: new GuardedClient(outboundPolicy("live")) };
  readonly #stopped = new AbortController();

  /** Starts an attempt. `startedAt` is the database's time: it is signed, and a receiver refuses a time that is minutes off. */
  attempt(due: DueDelivery, startedAt: Date): StartedAttempt {
    const began = performance.now();
    const timestamp = Math.floor(startedAt.getTime() / SECOND_MS);
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Oja-Webhooks/1.0",
      "webhook-id": due.eventId,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatureOf(due.secrets, { id: due.eventId, timestamp, body: due.body }),
    };
    if (due.secrets.length === 0) return notSigned({ startedAt, requestHeaders: headers });
    const post = { headers, body: Buffer.from(due.body), deadlineMs: DEADLINE_MS };
    const exchange = this.#clients[due.mode].post(due.url, post, this.#stopped.signal);
    return { sent: exchange.sent, result: this.#resultOf(exchange, { startedAt, began, requestHeaders: headers }) };
  }

  async #resultOf(
    { answer }: Exchange,
    { startedAt, began, requestHeaders }: { startedAt: Date; began: number; requestHeaders: Record<string, string> },
  ): Promise<AttemptResult | undefined> {
    const outcome = await answer.then(describeAnswer, describeFailure);
    if (!outcome || (this.#stopped.signal.aborted && outcome.error !== null)) return undefined;
    const durationMs = Math.round(performance.now() - began);
    const { headers, ...rest } = outcome;
    const retry = retryAfterMs(headers["retry-after"], startedAt.getTime() + durationMs);
    return { startedAt, durationMs, requestHeaders, ...rest, retryAfterMs: retry };
  }

  /** Aborts the attempts that are under way and closes all connections. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([this.#clients.test.close(), this.#clients.live.close()]);
  }
}

type Ending = Pick<AttemptResult, "responseStatus" | "responseBody" | "error"> & Pick<GuardedAnswer, "headers">;

function describeAnswer({ status, headers, body, brokenBy }: GuardedAnswer): Ending {
  // A PostgreSQL text cannot contain NUL.
  const responseBody = new TextDecoder().decode(body).replaceAll("\0", "\uFFFD");
  return { responseStatus: status, responseBody, error: brokenBy === null ? null : reasonOfBreak(brokenBy), headers };
}

function describeFailure(error: unknown): Ending | undefined {
  if (!isOurFault(error)) return { responseStatus: null, responseBody: null, error: reasonOf(error), headers: {} };
  log().error({ err: error }, "a delivery could not be sent, because this machine lacked a resource; the attempt does not count");
  return undefined;
}

function notSigned(known: Pick<AttemptResult, "startedAt" | "requestHeaders">): StartedAttempt {
  const error = "Not sent: the signing secret cannot be read. Roll it.";
  const result = { ...known, durationMs: 0, responseStatus: null, responseBody: null, error, retryAfterMs: 0 };
  return { sent: Promise.resolve(), result: Promise.resolve(result) };
}
