import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Listener, listen } from "#db/listen.ts";
import { log } from "#lib/log.ts";
import { DELIVERIES_CHANNEL } from "../../events/index.ts";
import { Sender } from "./attempt-delivery.ts";
import { DatabaseClock } from "./database-clock.ts";
import { findDueLanes, type LaneKey } from "./find-due.ts";
import { failPendingBatch, removeDeletedEndpoint } from "./give-up.ts";
import { Lane, type SharedParts } from "./lane.ts";
import { extendLeases, LEASE_MS, releaseLeases } from "./leases.ts";
import { Slots } from "./slots.ts";

/** After this time without an attempt, a lane releases its lease. */
const MAX_IDLE_MS = 5_000;
/** Attempts that still run this long after `stop` are aborted. */
const DRAIN_TIMEOUT_MS = 8_000;
const MAX_HEALTHY_IN_FLIGHT = 1_024;
const MAX_FAILING_IN_FLIGHT = 512;
/**
 * Attempts of one merchant at once: a 32nd of each pool. An endpoint that succeeds slowly counts as healthy and holds a slot for up to 15 s, and
 * a merchant has up to 20 endpoints. 32 are the 8 of four endpoints that answer soon, or the 2 of 16 that are slow.
 */
const MAX_HEALTHY_OF_A_MERCHANT = 32;
const MAX_FAILING_OF_A_MERCHANT = 16;

/**
 * Sends deliveries, with one lane for each endpoint. NOTIFY wakes a lane after a commit. The sweep finds deliveries whose NOTIFY was lost,
 * retries that are due, and endpoints whose worker died.
 */
export class Dispatcher {
  readonly #lanes = new Map<string, Lane>();
  readonly #clearing = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #shared: SharedParts = {
    workerId: randomUUID(),
    sender: new Sender(),
    clock: new DatabaseClock(),
    slots: {
      healthy: new Slots(MAX_HEALTHY_IN_FLIGHT, MAX_HEALTHY_OF_A_MERCHANT),
      failing: new Slots(MAX_FAILING_IN_FLIGHT, MAX_FAILING_OF_A_MERCHANT),
    },
    isStopping: () => this.#stopping.signal.aborted,
  };
  #renewals: Promise<void> | undefined;
  #listener: Listener | undefined;

  start(): void {
    this.#renewals = this.#renewUntilStopped();
    this.#listener = listen(DELIVERIES_CHANNEL, (name) => this.#wake(name));
  }

  /** Wakes the lanes of endpoints with due deliveries and cleans up disabled and deleted ones. Returns how many lanes it added. */
  async sweep(): Promise<number> {
    const before = this.#lanes.size;
    for (const { status, ...key } of await findDueLanes(this.#shared.workerId)) {
      if (status !== "enabled") void this.#clearAway(key);
      if (status !== "deleted") this.#attend(key);
    }
    return this.#lanes.size - before;
  }

  /** Fails the pending deliveries of a disabled or deleted endpoint. No caller waits for it, because a large backlog takes long. */
  async #clearAway(key: LaneKey): Promise<void> {
    if (this.#clearing.has(key.endpointId)) return;
    this.#clearing.add(key.endpointId);
    try {
      while (!this.#shared.isStopping() && (await failPendingBatch(key)));
      await removeDeletedEndpoint(key);
    } catch (error) {
      log().warn(
        { endpointId: key.endpointId, err: error },
        "what waits for a disabled endpoint could not be given up; the next sweep tries again",
      );
    } finally {
      this.#clearing.delete(key.endpointId);
    }
  }

  #wake(name: string): void {
    const [merchantId, endpointId] = name.split("/");
    if (merchantId && endpointId) this.#attend({ merchantId, endpointId });
  }

  #attend(key: LaneKey): void {
    if (this.#shared.isStopping()) return;
    const name = `${key.merchantId}/${key.endpointId}`;
    const lane = this.#lanes.get(name) ?? new Lane(key, this.#shared);
    this.#lanes.set(name, lane);
    lane.wake();
  }

  async #renewUntilStopped(): Promise<void> {
    while (!this.#shared.isStopping()) {
      await wait(LEASE_MS / 5, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      try {
        await this.#extendLeases();
        await this.#dropIdleLanes();
      } catch (error) {
        log().warn({ err: error }, "leases could not be extended; they are taken again when they are needed");
      }
    }
  }

  async #extendLeases(): Promise<void> {
    const lanes = [...this.#lanes.values()].filter((lane) => !lane.isIdleFor(MAX_IDLE_MS));
    if (lanes.length === 0) return;
    const askedAt = performance.now();
    const keys = lanes.map(({ key }) => key);
    const prolonged = await extendLeases(this.#shared.workerId, keys);
    for (const lane of lanes) if (prolonged.has(lane.key.endpointId)) lane.noteProlonged(askedAt);
  }

  async #dropIdleLanes(): Promise<void> {
    const idle = [...this.#lanes].filter(([, lane]) => lane.isIdleFor(MAX_IDLE_MS));
    if (idle.length === 0) return;
    // Each lane is removed before its lease is released. So a wake-up in between creates a new lane, which takes the lease again.
    for (const [name, lane] of idle) {
      lane.forgetLease();
      this.#lanes.delete(name);
    }
    await releaseLeases(
      this.#shared.workerId,
      idle.map(([, { key }]) => key),
    );
  }

  /** Starts no more attempts, lets running ones finish for 8 s, and releases the leases. Another worker repeats aborted attempts. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const lanes = [...this.#lanes.values()];
    const ended = Promise.all(lanes.map((lane) => lane.ended()));
    await Promise.race([ended, wait(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
    await this.#shared.sender.stop();
    await Promise.all([ended, this.#listener?.stop(), this.#renewals]);
    await releaseLeases(
      this.#shared.workerId,
      lanes.map(({ key }) => key),
    );
  }
}
