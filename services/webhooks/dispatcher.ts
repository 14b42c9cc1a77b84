import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Listener, listen } from "#db/listen.ts";
import { log } from "#lib/log.ts";
import { DELIVERIES_CHANNEL } from "../events/index.ts";
import { Sender } from "./attempt-delivery.ts";
import { DatabaseClock } from "./database-clock.ts";
import { findDueLanes, type LaneKey } from "./find-due.ts";
import { FailingBudget, Lane } from "./lane.ts";
import { LEASE_MS } from "./leases.ts";

const LINGER_MS = 5_000;
/** How long attempts that are under way may take once we were told to stop. */
const DRAIN_MS = 8_000;

/**
 * Sends deliveries, a lane an endpoint. It is woken by NOTIFY after a commit; a sweep finds what was missed, what waits for a retry,
 * and what a dead worker has left.
 */
export class Dispatcher {
  readonly #workerId = randomUUID();
  readonly #sender = new Sender();
  readonly #house = {
    workerId: this.#workerId,
    sender: this.#sender,
    clock: new DatabaseClock(),
    failing: new FailingBudget(),
    isStopping: () => this.#isStopping,
  };
  readonly #lanes = new Map<string, Lane>();
  #isStopping = false;
  #renewal: NodeJS.Timeout | undefined;
  #listener: Listener | undefined;

  start(): void {
    this.#renewal = setInterval(() => void this.#renewLeases(), LEASE_MS / 3);
    this.#listener = listen(DELIVERIES_CHANNEL, (name) => this.#wake(name));
  }

  /** Answers how many endpoints have something due that this worker may attend to. */
  async sweep(): Promise<number> {
    const lanes = await findDueLanes(this.#workerId);
    for (const key of lanes) this.#attend(key);
    return lanes.length;
  }

  #wake(name: string): void {
    const [merchantId, endpointId] = name.split("/");
    if (merchantId && endpointId) this.#attend({ merchantId, endpointId });
  }

  #attend(key: LaneKey): void {
    if (this.#isStopping) return;
    const name = `${key.merchantId}/${key.endpointId}`;
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = new Lane(key, this.#house);
      this.#lanes.set(name, lane);
    }
    lane.wake();
  }

  async #renewLeases(): Promise<void> {
    for (const [name, lane] of this.#lanes) {
      try {
        if (!lane.isIdleFor(LINGER_MS)) await lane.renew();
        else {
          await lane.release();
          if (lane.isIdleFor(LINGER_MS)) this.#lanes.delete(name);
        }
      } catch (error) {
        log().warn({ endpointId: lane.key.endpointId, err: error }, "a lease could not be renewed; it is taken again when it is needed");
      }
    }
  }

  /** Starts nothing more, lets what is under way end, and gives the leases back. What did not end in time is for the next worker. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#renewal);
    await this.#listener?.stop();
    const lanes = [...this.#lanes.values()];
    const ended = Promise.all(lanes.map((lane) => lane.ended()));
    await Promise.race([ended, wait(DRAIN_MS, undefined, { ref: false })]);
    await this.#sender.stop();
    await ended;
    await Promise.allSettled(lanes.map((lane) => lane.release()));
  }
}
