import { setTimeout as wait } from "node:timers/promises";
import { log } from "#lib/log.ts";
import type { Sender } from "./attempt-delivery.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { type DueDelivery, findDue, type LaneKey } from "./find-due.ts";
import { giveBackLease, LEASE_MS, takeLease } from "./leases.ts";
import { giveUp, settleAttempt } from "./settle-attempt.ts";

/** Of one endpoint, at once. */
const MOST_IN_FLIGHT = 8;
/** Of one endpoint whose last attempt failed: enough to see that it is back. */
const MOST_IN_FLIGHT_WHEN_FAILING = 1;
const MOST_IN_FLIGHT_AT_FAILING_ENDPOINTS = 256;
/** An attempt that could not be kept is not made again before this. */
const WAIT_AFTER_OUR_FAILURE_MS = 5_000;
/** Kept between what we believe of our lease and its end. */
const LEASE_MARGIN_MS = 2_000;

/** Counts attempts at endpoints that fail, over all lanes: a great many dead ones together must not use up our sockets. */
export class FailingBudget {
  #used = 0;

  take(): boolean {
    if (this.#used >= MOST_IN_FLIGHT_AT_FAILING_ENDPOINTS) return false;
    this.#used++;
    return true;
  }
  giveBack(): void {
    this.#used--;
  }
}

interface House {
  workerId: string;
  sender: Sender;
  clock: DatabaseClock;
  failing: FailingBudget;
  isStopping: () => boolean;
}

/**
 * Attends to one endpoint for as long as this worker holds its lease. Deliveries start in the order of their sequence, each after the
 * one before it is on the wire, and finish whenever they do. No lane waits for another.
 */
export class Lane {
  readonly key: LaneKey;
  readonly #house: House;
  readonly #inFlight = new Map<string, Promise<void>>();
  #mostInFlight = MOST_IN_FLIGHT;
  #leaseEndsAtMs = 0;
  #leaseTurn: Promise<unknown> = Promise.resolve();
  #isLooking = false;
  #lookAgain = false;
  #mayHaveMore = false;
  #activeAtMs = performance.now();

  constructor(key: LaneKey, house: House) {
    this.key = key;
    this.#house = house;
  }

  /** Looks for what is due and starts it. */
  wake(): void {
    this.#lookAgain = true;
    if (!this.#isLooking) void this.#look();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#lookAgain && !this.#house.isStopping()) {
        this.#lookAgain = false;
        await this.#startWhatIsDue();
      }
    } catch (error) {
      log().error({ endpointId: this.key.endpointId, err: error }, "deliveries could not be started; the next sweep tries again");
    } finally {
      this.#isLooking = false;
    }
  }

  async #startWhatIsDue(): Promise<void> {
    this.#mayHaveMore = true;
    const room = this.#mostInFlight - this.#inFlight.size;
    // Whichever attempt ends next looks again.
    if (room <= 0 || !(await this.#hasLease())) return;
    const askedAt = performance.now();
    const due = await findDue(this.key, [...this.#inFlight.keys()], room);
    if (due[0]) this.#house.clock.observe(due[0].readAtMs, askedAt, performance.now());
    for (const delivery of due) {
      this.#mostInFlight = delivery.endpointFails ? MOST_IN_FLIGHT_WHEN_FAILING : MOST_IN_FLIGHT;
      if (this.#house.isStopping() || this.#inFlight.size >= this.#mostInFlight || !(await this.#hasLease())) return;
      if (!delivery.isWanted) await giveUp(delivery);
      else if (delivery.endpointFails && !this.#house.failing.take()) return;
      else await this.#start(delivery);
    }
    this.#mayHaveMore = due.length === room;
    if (this.#mayHaveMore) this.#lookAgain = true;
  }

  /** Answers once the request is on the wire. */
  async #start(delivery: DueDelivery): Promise<void> {
    const { failing, sender, clock } = this.#house;
    this.#activeAtMs = performance.now();
    const { sent, result } = sender.attempt(delivery, clock.now());
    const ended = result
      .then((attempt) => attempt && settleAttempt(delivery, attempt))
      .catch(async (error) => {
        log().error({ deliveryId: delivery.id, err: error }, "an attempt could not be kept; it will be made again");
        if (!this.#house.isStopping()) await wait(WAIT_AFTER_OUR_FAILURE_MS, undefined, { ref: false });
      })
      .finally(() => {
        if (delivery.endpointFails) failing.giveBack();
        this.#activeAtMs = performance.now();
        this.#inFlight.delete(delivery.id);
        if (this.#mayHaveMore) this.wake();
      });
    this.#inFlight.set(delivery.id, ended);
    await sent;
  }

  async #hasLease(): Promise<boolean> {
    return performance.now() < this.#leaseEndsAtMs - LEASE_MARGIN_MS || this.renew();
  }

  /** Takes or prolongs the lease. False while another worker has it. */
  renew(): Promise<boolean> {
    return this.#inTurn(async () => {
      const askedAt = performance.now();
      const taken = await takeLease(this.#house.workerId, this.key);
      this.#leaseEndsAtMs = taken ? askedAt + LEASE_MS : 0;
      return taken;
    });
  }

  release(): Promise<void> {
    return this.#inTurn(async () => {
      this.#leaseEndsAtMs = 0;
      await giveBackLease(this.#house.workerId, this.key);
    });
  }

  /** What is asked about the lease is asked one after the other, so that the last answer is what we believe. */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const turn = this.#leaseTurn.then(ask, ask);
    this.#leaseTurn = turn;
    return turn;
  }

  /** Nothing has happened here for this many milliseconds, and nothing is under way. */
  isIdleFor(ms: number): boolean {
    return !this.#isLooking && this.#inFlight.size === 0 && performance.now() - this.#activeAtMs > ms;
  }

  async ended(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }
}
