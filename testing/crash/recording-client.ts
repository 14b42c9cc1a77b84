import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

// biome-ignore lint/suspicious/noExplicitAny: a JSON answer
type Json = any;

/** A request that changes something, and every answer that came to it. */
export interface Operation {
  path: string;
  key: string;
  body: Json;
  /** Answers with a 2xx, in the order in which they came. */
  acknowledged: { status: number; body: Json }[];
  /** The last refusal, if it was one that a retry does not change. */
  refused?: string;
  isOpen: boolean;
  /** What the last try was told, where that was no answer. */
  lastWord?: string;
}

interface Keys {
  publicKey: string;
  secretKey: string;
}

const NO_ANSWER_WITHIN_MS = 12_000;
const TRIES_BEFORE_LATER = 20;

/** A merchant's server that never gives up: it sends the same request with the same key until it has an answer. */
export class RecordingClient {
  readonly operations: Operation[] = [];
  readonly #url: () => string;
  readonly #keys: Keys;

  constructor(url: () => string, keys: Keys) {
    this.#url = url;
    this.#keys = keys;
  }

  /** Undefined when there was no answer for now; `finish` asks again. */
  async post(path: string, body: Json): Promise<Json | undefined> {
    const operation: Operation = { path, key: randomUUID(), body, acknowledged: [], isOpen: true };
    this.operations.push(operation);
    return this.#send(operation, TRIES_BEFORE_LATER);
  }

  /** The same request once more, for an answer that must be the same resource. */
  async repeat(operation: Operation): Promise<Json | undefined> {
    return this.#send(operation, 1);
  }

  async get(path: string): Promise<Json | undefined> {
    const answer = await this.#call("GET", path);
    return answer?.status === 200 ? answer.body : undefined;
  }

  /** As `get`, and does not give up. */
  async mustGet(path: string): Promise<Json> {
    for (let tries = 0; tries < 100; tries++) {
      const body = await this.get(path);
      if (body) return body;
      await wait(100);
    }
    throw new Error(`no answer to GET ${path}`);
  }

  /** Asks again for every answer that is still missing. Returns how many are. */
  async finish(): Promise<number> {
    const open = this.operations.filter(({ isOpen }) => isOpen);
    for (const operation of open) await this.#send(operation, 3);
    return open.filter(({ isOpen }) => isOpen).length;
  }

  async #send(operation: Operation, tries: number): Promise<Json | undefined> {
    for (let i = 0; i < tries; i++) {
      const answer = await this.#call("POST", operation.path, operation.body, operation.key);
      if (answer && answer.status < 300) {
        operation.acknowledged.push(answer);
        operation.isOpen = false;
        return answer.body;
      }
      const code: string | undefined = answer?.body?.error?.code;
      operation.lastWord = answer ? `${answer.status} ${code} ${answer.body?.error?.outcome}` : "nothing";
      if (answer?.body?.error?.outcome === "not_executed" && answer.status !== 429 && answer.status < 500) {
        operation.refused = code ?? "unknown";
        operation.isOpen = false;
        return undefined;
      }
      // The claim of a request that died is free after a minute; an actor does not wait for it.
      if (code === "REQUEST_IN_PROGRESS") return undefined;
      await wait(100);
    }
    return undefined;
  }

  async #call(method: string, path: string, body?: Json, key?: string): Promise<{ status: number; body: Json } | undefined> {
    try {
      const response = await fetch(`${this.#url()}${path}`, {
        method,
        headers: {
          "X-Api-Key": this.#keys.publicKey,
          "X-Api-Secret": this.#keys.secretKey,
          "Content-Type": "application/json",
          ...(key && { "Idempotency-Key": key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(NO_ANSWER_WITHIN_MS),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      // The process died, or has not come back yet: what happened is not known, which is what this client is made for.
      return undefined;
    }
  }
}
