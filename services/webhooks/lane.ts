import { log } from "#lib/log.ts";
import type { AttemptResult, Sender } from "./attempt-delivery.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { type DueDelivery, findNextDue, type LaneKey } from "./find-due.ts";
import { giveUpSome } from "./give-up.ts";
import { LEASE_MS, takeLease } from "./leases.ts";
import { settleAttempt } from "./settle-attempt.ts";
import type { Slots } from "./slots.ts";

/** Of one endpoint, at once: at first, when each has been answered, and when the last one failed. */
const FIRST_IN_FLIGHT = 2;
const MAX_IN_FLIGHT = 8;
const FAILING_IN_FLIGHT = 1;
const SOON_MS = 2_000;
/** What we could not send, or could not write down, is not tried again before this. */
const WAIT_AFTER_OUR_FAILURE_MS = 5_000;
/** Kept between what we believe of our lease and its end. */
const LEASE_MARGIN_MS = 2_000;

/** What the lanes of a worker share. */
export interface SharedParts {
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
  readonly #shared: SharedParts;
  readonly #inFlight = new Map<string, Promise<void>>();
  #mostInFlight = FIRST_IN_FLIGHT;
  #fails = false;
  #preferRetry = false;
  #leaseEndsAtMs = 0;
  #pausedUntilMs = 0;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #mayHaveMore = false;
  #wakes = 0;
  #activeAtMs = performance.now();

  constructor(key: LaneKey, shared: SharedParts) {
    this.key = key;
    this.#shared = shared;
  }

  /** Somebody says that there is something new: looks for what is due and starts it. */
  wake(): void {
    this.#wakes++;
    this.#again();
  }

  #again(): void {
    this.#lookAgain = true;
    this.#looking ??= this.#look();
  }

  async #look(): Promise<void> {
    try {
      while (this.#lookAgain) {
        this.#lookAgain = false;
        while (await this.#startNext());
      }
    } catch (error) {
      log().error({ endpointId: this.key.endpointId, err: error }, "deliveries could not be started; the next sweep tries again");
    } finally {
      this.#looking = undefined;
    }
  }

  /** False when there is nothing more to start for now. Whichever attempt ends next looks again if there may be. */
  async #startNext(): Promise<boolean> {
    const { slots, isStopping } = this.#shared;
    this.#mayHaveMore = true;
    if (isStopping() || this.#inFlight.size >= this.#mostInFlight || performance.now() < this.#pausedUntilMs) return false;
    const place = this.#fails ? slots.failing : slots.healthy;
    // Before anything is asked of the database: whoever waits for a place costs nothing.
    await place.take();
    let isTaken = false;
    try {
      if (isStopping() || !(await this.#hasLease())) return false;
      const due = await this.#findNext();
      this.#mayHaveMore = due !== "nothing";
      if (due === "nothing" || isStopping()) return false;
      if (due === "no lease") {
        this.forgetLease();
        return true;
      }
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

  async #findNext(): ReturnType<typeof findNextDue> {
    const askedAt = performance.now();
    const { workerId } = this.#shared;
    const due = await findNextDue(this.key, { workerId, started: [...this.#inFlight.keys()], preferRetry: this.#preferRetry });
    if (typeof due === "object") this.#shared.clock.observe(due.readAtMs, askedAt, performance.now());
    return due;
  }

  /** Resolves once the request is on the wire. */
  async #start(delivery: DueDelivery, place: Slots): Promise<void> {
    const { sender, clock } = this.#shared;
    this.#activeAtMs = performance.now();
    const wakesBefore = this.#wakes;
    this.#preferRetry = delivery.isFirstAttempt;
    const { sent, result } = sender.attempt(delivery, clock.now());
    const ended = this.#finish(delivery, result).finally(() => {
      place.giveBack();
      this.#activeAtMs = performance.now();
      this.#inFlight.delete(delivery.id);
      // A wake-up may have been about this very delivery, which nobody finds while it is under way.
      if (this.#mayHaveMore || this.#wakes !== wakesBefore) this.#again();
    });
    this.#inFlight.set(delivery.id, ended);
    await sent;
  }

  async #finish(delivery: DueDelivery, result: Promise<AttemptResult | undefined>): Promise<void> {
    try {
      const attempt = await result;
      if (!attempt) this.#pause();
      else if (await settleAttempt(delivery, attempt)) this.#allowFor(attempt.durationMs);
    } catch (error) {
      log().error({ deliveryId: delivery.id, err: error }, "an attempt could not be kept; it will be made again");
      this.#pause();
    }
  }

  /** After a failure of our own, of all deliveries, so that their order stays. The sweep looks again. */
  #pause(): void {
    this.#pausedUntilMs = performance.now() + WAIT_AFTER_OUR_FAILURE_MS;
  }

  /** An endpoint that answers soon gets more at once; one that takes its time would hold many places for long. */
  #allowFor(durationMs: number): void {
    if (!this.#fails) this.#mostInFlight = durationMs > SOON_MS ? FIRST_IN_FLIGHT : Math.min(MAX_IN_FLIGHT, this.#mostInFlight + 1);
  }

  async #hasLease(): Promise<boolean> {
    if (performance.now() < this.#leaseEndsAtMs - LEASE_MARGIN_MS) return true;
    const askedAt = performance.now();
    const taken = await takeLease(this.#shared.workerId, this.key);
    this.#leaseEndsAtMs = taken ? askedAt + LEASE_MS : 0;
    return taken;
  }

  /** The lease was prolonged by a statement that began at this time. */
  noteProlonged(askedAtMs: number): void {
    if (this.#leaseEndsAtMs > 0) this.#leaseEndsAtMs = Math.max(this.#leaseEndsAtMs, askedAtMs + LEASE_MS);
  }

  /** From now on it is asked for again before it is used. */
  forgetLease(): void {
    this.#leaseEndsAtMs = 0;
  }

  /** Nothing has happened here for this many milliseconds, and nothing is under way. */
  isIdleFor(ms: number): boolean {
    return !this.#looking && this.#inFlight.size === 0 && performance.now() - this.#activeAtMs > ms;
  }

  /** Settles when nothing is under way and nothing more is being started. */
  async ended(): Promise<void> {
    while (this.#looking || this.#inFlight.size > 0) await Promise.all([this.#looking, ...this.#inFlight.values()]);
  }
}
