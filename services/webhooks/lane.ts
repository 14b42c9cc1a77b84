import { setTimeout as wait } from "node:timers/promises";
import { log } from "#lib/log.ts";
import type { AttemptResult, Sender } from "./attempt-delivery.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { type DueDelivery, findNextDue, type LaneKey } from "./find-due.ts";
import { giveUpSome } from "./give-up.ts";
import { giveBackLease, LEASE_MS, takeLease } from "./leases.ts";
import { settleAttempt } from "./settle-attempt.ts";
import type { Slots } from "./slots.ts";

/** Of one endpoint, at once: at first, when each has been answered, and when the last one failed. */
const FIRST_IN_FLIGHT = 2;
const MOST_IN_FLIGHT = 8;
const FAILING_IN_FLIGHT = 1;
/** What we could not send, or could not write down, is not tried again before this. */
const WAIT_AFTER_OUR_FAILURE_MS = 5_000;
/** Kept between what we believe of our lease and its end. */
const LEASE_MARGIN_MS = 2_000;

/** What the lanes of a worker share. */
export interface House {
  workerId: string;
  sender: Sender;
  clock: DatabaseClock;
  /** Places for attempts, apart for endpoints that fail: however many of those there are, the others have theirs. */
  slots: { healthy: Slots; failing: Slots };
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
  #mostInFlight = FIRST_IN_FLIGHT;
  #fails = false;
  #preferRetry = false;
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
      while (this.#lookAgain) {
        this.#lookAgain = false;
        while (await this.#startNext());
      }
    } catch (error) {
      log().error({ endpointId: this.key.endpointId, err: error }, "deliveries could not be started; the next sweep tries again");
    } finally {
      this.#isLooking = false;
    }
  }

  /** False when there is nothing more to start for now. Whichever attempt ends next looks again if there may be. */
  async #startNext(): Promise<boolean> {
    const { slots, isStopping } = this.#house;
    this.#mayHaveMore = true;
    if (isStopping() || this.#inFlight.size >= this.#mostInFlight) return false;
    const place = this.#fails ? slots.failing : slots.healthy;
    // Before anything is asked of the database: whoever waits for a place costs nothing.
    await place.take();
    let isTaken = false;
    try {
      if (isStopping() || !(await this.#hasLease())) return false;
      const due = await this.#findNext();
      this.#mayHaveMore = due !== undefined;
      if (!due) return false;
      if (!due.isWanted) return await giveUpSome(this.key);
      if (due.endpointFails !== this.#fails) {
        this.#fails = due.endpointFails;
        this.#mostInFlight = due.endpointFails ? FAILING_IN_FLIGHT : FIRST_IN_FLIGHT;
        return true;
      }
      isTaken = true;
      await this.#start(due, place);
      return true;
    } finally {
      if (!isTaken) place.giveBack();
    }
  }

  async #findNext(): Promise<DueDelivery | undefined> {
    const askedAt = performance.now();
    const due = await findNextDue(this.key, [...this.#inFlight.keys()], this.#preferRetry);
    if (due) this.#house.clock.observe(due.readAtMs, askedAt, performance.now());
    return due;
  }

  /** Answers once the request is on the wire. */
  async #start(delivery: DueDelivery, place: Slots): Promise<void> {
    const { sender, clock } = this.#house;
    this.#activeAtMs = performance.now();
    this.#preferRetry = delivery.isFirstAttempt;
    const { sent, result } = sender.attempt(delivery, clock.now());
    const ended = this.#finish(delivery, result).finally(() => {
      place.giveBack();
      this.#activeAtMs = performance.now();
      this.#inFlight.delete(delivery.id);
      if (this.#mayHaveMore) this.wake();
    });
    this.#inFlight.set(delivery.id, ended);
    await sent;
  }

  async #finish(delivery: DueDelivery, result: Promise<AttemptResult | undefined>): Promise<void> {
    try {
      const attempt = await result;
      if (attempt) {
        if (await settleAttempt(delivery, attempt)) this.#mostInFlight = Math.min(MOST_IN_FLIGHT, this.#mostInFlight + 1);
        return;
      }
    } catch (error) {
      log().error({ deliveryId: delivery.id, err: error }, "an attempt could not be kept; it will be made again");
    }
    if (!this.#house.isStopping()) await wait(WAIT_AFTER_OUR_FAILURE_MS, undefined, { ref: false });
  }

  async #hasLease(): Promise<boolean> {
    if (performance.now() < this.#leaseEndsAtMs - LEASE_MARGIN_MS) return true;
    return this.#inTurn(async () => {
      const askedAt = performance.now();
      const taken = await takeLease(this.#house.workerId, this.key);
      this.#leaseEndsAtMs = taken ? askedAt + LEASE_MS : 0;
      return taken;
    });
  }

  /** The lease was prolonged by a statement that began at this time; undefined when it was lost. */
  noteProlonged(askedAtMs: number | undefined): void {
    this.#leaseEndsAtMs = askedAtMs === undefined ? 0 : Math.max(this.#leaseEndsAtMs, askedAtMs + LEASE_MS);
  }

  get believesInLease(): boolean {
    return this.#leaseEndsAtMs > 0;
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
    this.#leaseTurn = turn.catch(() => undefined);
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
