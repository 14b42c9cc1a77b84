import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

// biome-ignore lint/suspicious/noExplicitAny: a JSON answer
type Json = any;

/** A request that changes something, with every answer to it. */
export interface Operation {
  path: string;
  key: string;
  body: Json;
  /** The answers with a 2xx status, in order of arrival. */
  acknowledged: { status: number; body: Json }[];
  /** The code of a refusal that a retry does not change. */
  refused?: string;
  isOpen: boolean;
  /** The last reply that did not settle the request. */
  lastReply?: string;
}

/** The headers by which a server or a page says who it is. */
type Identity = Record<string, string>;

export const identityOf = ({ publicKey, secretKey }: { publicKey: string; secretKey: string }): Identity => ({
  "X-Api-Key": publicKey,
  "X-Api-Secret": secretKey,
});

const TIMEOUT_MS = 12_000;
const MAX_ATTEMPTS = 20;

/** A merchant's server, or a member's page. It repeats a request with the same Idempotency-Key until it has an answer. */
export class RecordingClient {
  readonly operations: Operation[] = [];
  readonly #url: () => string;
  readonly #identity: Identity;

  constructor(url: () => string, identity: Identity) {
    this.#url = url;
    this.#identity = identity;
  }

  /** Sends a new request. Returns undefined without an answer; `finish` sends the request again later. */
  async post(path: string, body: Json): Promise<Json | undefined> {
    return this.#send(this.#add(path, body), MAX_ATTEMPTS);
  }

  /** Sends a new request once, and waits no longer than `timeoutMs` for its answer. `repeat` or `finish` sends it again. */
  async attempt(path: string, body: Json, timeoutMs = TIMEOUT_MS): Promise<Operation> {
    const operation = this.#add(path, body);
    await this.#send(operation, 1, timeoutMs);
    return operation;
  }

  #add(path: string, body: Json): Operation {
    const operation: Operation = { path, key: randomUUID(), body, acknowledged: [], isOpen: true };
    this.operations.push(operation);
    return operation;
  }

  /** Sends a request once more. The answer must name the same resource. */
  async repeat(operation: Operation): Promise<Json | undefined> {
    return this.#send(operation, 1);
  }

  async get(path: string): Promise<Json | undefined> {
    const answer = await this.#call("GET", path);
    return answer?.status === 200 ? answer.body : undefined;
  }

  /** Reads until there is an answer. Throws after 100 attempts. */
  async mustGet(path: string): Promise<Json> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const body = await this.get(path);
      if (body) return body;
      await wait(100);
    }
    throw new Error(`no answer to GET ${path}`);
  }

  /** Repeats every request without an answer. Returns how many are still without one. */
  async finish(): Promise<number> {
    const open = this.operations.filter(({ isOpen }) => isOpen);
    for (const operation of open) await this.#send(operation, 3);
    return open.filter(({ isOpen }) => isOpen).length;
  }

  async #send(operation: Operation, maxAttempts: number, timeoutMs = TIMEOUT_MS): Promise<Json | undefined> {
    for (let i = 0; i < maxAttempts; i++) {
      const answer = await this.#call("POST", operation.path, { body: operation.body, key: operation.key, timeoutMs });
      if (answer && answer.status < 300) {
        operation.acknowledged.push(answer);
        operation.isOpen = false;
        return answer.body;
      }
      const code: string | undefined = answer?.body?.error?.code;
      operation.lastReply = answer ? `${answer.status} ${code} ${answer.body?.error?.outcome}` : "nothing";
      if (answer?.body?.error?.outcome === "not_executed" && answer.status !== 429 && answer.status < 500) {
        operation.refused = code ?? "unknown";
        operation.isOpen = false;
        return undefined;
      }
      // The lease of a request that died ends after a minute. An actor does not wait for that.
      if (code === "REQUEST_IN_PROGRESS") return undefined;
      await wait(100);
    }
    return undefined;
  }

  async #call(
    method: string,
    path: string,
    { body, key, timeoutMs = TIMEOUT_MS }: { body?: Json; key?: string; timeoutMs?: number } = {},
  ): Promise<{ status: number; body: Json } | undefined> {
    try {
      const response = await fetch(`${this.#url()}${path}`, {
        method,
        headers: {
          ...this.#identity,
          // A text is a file.
          "Content-Type": typeof body === "string" ? "text/csv" : "application/json",
          ...(key && { "Idempotency-Key": key }),
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      // The process died or is not up again. The outcome is unknown, so the request is repeated.
      return undefined;
    }
  }
}
