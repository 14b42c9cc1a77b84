import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Listener, listen } from "#db/listen.ts";
import { log } from "#lib/log.ts";
import { DELIVERIES_CHANNEL } from "../events/index.ts";
import { Sender } from "./attempt-delivery.ts";
import { DatabaseClock } from "./database-clock.ts";
import { findDueLanes, type LaneKey } from "./find-due.ts";
import { clearAwayDeleted, giveUpSome } from "./give-up.ts";
import { Lane, type SharedParts } from "./lane.ts";
import { giveBackLeases, LEASE_MS, prolongLeases } from "./leases.ts";
import { Slots } from "./slots.ts";

const LINGER_MS = 5_000;
/** How long attempts that are under way may take once we were told to stop. */
const DRAIN_MS = 8_000;
const HEALTHY_IN_FLIGHT = 1_024;
const FAILING_IN_FLIGHT = 512;

/**
 * Sends deliveries, a lane an endpoint. It is woken by NOTIFY after a commit; a sweep finds what was missed, what waits for a retry,
 * and what a dead worker has left.
 */
export class Dispatcher {
  readonly #lanes = new Map<string, Lane>();
  readonly #clearing = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #shared: SharedParts = {
    workerId: randomUUID(),
    sender: new Sender(),
    clock: new DatabaseClock(),
    slots: { healthy: new Slots(HEALTHY_IN_FLIGHT), failing: new Slots(FAILING_IN_FLIGHT) },
    isStopping: () => this.#stopping.signal.aborted,
  };
  #renewals: Promise<void> | undefined;
  #listener: Listener | undefined;

  start(): void {
    this.#renewals = this.#renewUntilStopped();
    this.#listener = listen(DELIVERIES_CHANNEL, (name) => this.#wake(name));
  }

  /** Returns how many endpoints it has come to attend to. */
  async sweep(): Promise<number> {
    const before = this.#lanes.size;
    for (const { status, ...key } of await findDueLanes(this.#shared.workerId)) {
      if (status !== "enabled") void this.#clearAway(key);
      if (status !== "deleted") this.#attend(key);
    }
    return this.#lanes.size - before;
  }

  /** Beside everything else: it may be much that is given up. */
  async #clearAway(key: LaneKey): Promise<void> {
    if (this.#clearing.has(key.endpointId)) return;
    this.#clearing.add(key.endpointId);
    try {
      while (!this.#shared.isStopping() && (await giveUpSome(key)));
      await clearAwayDeleted(key);
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
        await this.#prolongLeases();
        await this.#dropIdleLanes();
      } catch (error) {
        log().warn({ err: error }, "leases could not be prolonged; they are taken again when they are needed");
      }
    }
  }

  async #prolongLeases(): Promise<void> {
    const lanes = [...this.#lanes.values()].filter((lane) => !lane.isIdleFor(LINGER_MS));
    if (lanes.length === 0) return;
    const askedAt = performance.now();
    const keys = lanes.map(({ key }) => key);
    const prolonged = await prolongLeases(this.#shared.workerId, keys);
    for (const lane of lanes) if (prolonged.has(lane.key.endpointId)) lane.noteProlonged(askedAt);
  }

  async #dropIdleLanes(): Promise<void> {
    const idle = [...this.#lanes].filter(([, lane]) => lane.isIdleFor(LINGER_MS));
    if (idle.length === 0) return;
    // Forgotten before they are given back: whoever is woken meanwhile asks anew.
    for (const [name, lane] of idle) {
      lane.forgetLease();
      this.#lanes.delete(name);
    }
    await giveBackLeases(
      this.#shared.workerId,
      idle.map(([, { key }]) => key),
    );
  }

  /** Starts nothing more, lets what is under way end, and gives the leases back. What did not end in time is for the next worker. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const lanes = [...this.#lanes.values()];
    const ended = Promise.all(lanes.map((lane) => lane.ended()));
    await Promise.race([ended, wait(DRAIN_MS, undefined, { ref: false })]);
    await this.#shared.sender.stop();
    await Promise.all([ended, this.#listener?.stop(), this.#renewals]);
    await giveBackLeases(
      this.#shared.workerId,
      lanes.map(({ key }) => key),
    );
  }
}
