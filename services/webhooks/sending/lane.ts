import { log } from "#lib/log.ts";
import type { AttemptResult, Sender } from "./attempt-delivery.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { type DueDelivery, findNextDue, type LaneKey } from "./find-due.ts";
import { failPendingBatch } from "./give-up.ts";
import { LEASE_MS, takeLease } from "./leases.ts";
import { settleAttempt } from "./settle-attempt.ts";
import type { Slots } from "./slots.ts";

/** The limits of parallel attempts to one endpoint: at first, after fast answers, and while the endpoint fails. */
const MAX_IN_FLIGHT_AT_FIRST = 2;
const MAX_IN_FLIGHT = 8;
const MAX_IN_FLIGHT_WHILE_FAILING = 1;
const MAX_FAST_ANSWER_MS = 2_000;
/** The lane waits this long if we could not send an attempt or could not store its outcome. */
const WAIT_AFTER_OUR_FAILURE_MS = 5_000;
/** A lease is extended when less than this is left of it. */
const LEASE_MARGIN_MS = 2_000;

/** The parts that all lanes of a worker share. */
export interface SharedParts {
  workerId: string;
  sender: Sender;
  clock: DatabaseClock;
  /** Slots for attempts. Failing endpoints have their own, so that they cannot take those of healthy ones. */
  slots: { healthy: Slots; failing: Slots };
  isStopping: () => boolean;
}

/**
 * Sends the deliveries of one endpoint while this worker owns its lease. Deliveries start in the order of their sequence: each one is
 * sent before the next one starts. Their answers may come in any order. A lane waits for lanes of its own merchant if they hold its
 * share of slots, and for slots of other merchants only if none is free.
 */
export class Lane {
  readonly key: LaneKey;
  readonly #shared: SharedParts;
  readonly #inFlight = new Map<string, Promise<void>>();
  #maxInFlight = MAX_IN_FLIGHT_AT_FIRST;
  #fails = false;
  #preferRetry = false;
  #leaseEndsAtMs = 0;
  #pausedUntilMs = 0;
  #checking: Promise<void> | undefined;
  #mustCheck = false;
  #mayHaveMore = false;
  #wakes = 0;
  #activeAtMs = performance.now();

  constructor(key: LaneKey, shared: SharedParts) {
    this.key = key;
    this.#shared = shared;
  }

  /** Reads due deliveries and starts them. A wake-up during that time is not lost. */
  wake(): void {
    this.#wakes++;
    this.#check();
  }

  #check(): void {
    this.#mustCheck = true;
    this.#checking ??= this.#startDue();
  }

  async #startDue(): Promise<void> {
    try {
      while (this.#mustCheck) {
        this.#mustCheck = false;
        while (await this.#startNext());
      }
    } catch (error) {
      log().error({ endpointId: this.key.endpointId, err: error }, "deliveries could not be started; the next sweep tries again");
    } finally {
      this.#checking = undefined;
    }
  }

  /** Returns whether to call it again at once. If not, and more may be due, the next attempt that ends checks again. */
  async #startNext(): Promise<boolean> {
    const { slots, isStopping } = this.#shared;
    this.#mayHaveMore = true;
    if (isStopping() || this.#inFlight.size >= this.#maxInFlight || performance.now() < this.#pausedUntilMs) return false;
    const pool = this.#fails ? slots.failing : slots.healthy;
    // The slot is taken before the query, so that a waiting lane costs the database nothing.
    await pool.take(this.key.merchantId);
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
      if (!due.isWanted) return await failPendingBatch(this.key);
      if (due.endpointIsFailing !== this.#fails) {
        this.#fails = due.endpointIsFailing;
        this.#maxInFlight = due.endpointIsFailing ? MAX_IN_FLIGHT_WHILE_FAILING : MAX_IN_FLIGHT_AT_FIRST;
        return true;
      }
      isTaken = true;
      await this.#start(due, pool);
      return true;
    } finally {
      if (!isTaken) pool.giveBack(this.key.merchantId);
    }
  }

  async #findNext(): ReturnType<typeof findNextDue> {
    const askedAt = performance.now();
    const { workerId } = this.#shared;
    const due = await findNextDue(this.key, { workerId, started: [...this.#inFlight.keys()], preferRetry: this.#preferRetry });
    if (typeof due === "object") this.#shared.clock.observe(due.readAtMs, askedAt, performance.now());
    return due;
  }

  /** Resolves once the request is sent. The slot returns to `pool` when the attempt has ended. */
  async #start(delivery: DueDelivery, pool: Slots): Promise<void> {
    const { sender, clock } = this.#shared;
    this.#activeAtMs = performance.now();
    const wakesBefore = this.#wakes;
    this.#preferRetry = delivery.isFirstAttempt;
    const { sent, result } = sender.attempt(delivery, clock.now());
    const ended = this.#finish(delivery, result).finally(() => {
      pool.giveBack(this.key.merchantId);
      this.#activeAtMs = performance.now();
      this.#inFlight.delete(delivery.id);
      // An earlier wake-up may have been for this delivery, which no query returns while its attempt runs.
      if (this.#mayHaveMore || this.#wakes !== wakesBefore) this.#check();
    });
    this.#inFlight.set(delivery.id, ended);
    await sent;
  }

  async #finish(delivery: DueDelivery, result: Promise<AttemptResult | undefined>): Promise<void> {
    try {
      const attempt = await result;
      if (!attempt) this.#pause();
      else if (await settleAttempt(delivery, attempt)) this.#adjustLimit(attempt.durationMs);
    } catch (error) {
      log().error({ deliveryId: delivery.id, err: error }, "an attempt could not be stored");
      this.#pause();
    }
  }

  /** Pauses all deliveries after a failure of our own, so that their order stays. The sweep wakes the lane afterwards. */
  #pause(): void {
    this.#pausedUntilMs = performance.now() + WAIT_AFTER_OUR_FAILURE_MS;
  }

  /** Raises the limit after a fast answer and resets it after a slow one, because a slow endpoint would occupy many slots for long. */
  #adjustLimit(durationMs: number): void {
    if (this.#fails) return;
    this.#maxInFlight = durationMs > MAX_FAST_ANSWER_MS ? MAX_IN_FLIGHT_AT_FIRST : Math.min(MAX_IN_FLIGHT, this.#maxInFlight + 1);
  }

  async #hasLease(): Promise<boolean> {
    if (performance.now() < this.#leaseEndsAtMs - LEASE_MARGIN_MS) return true;
    const askedAt = performance.now();
    const taken = await takeLease(this.#shared.workerId, this.key);
    this.#leaseEndsAtMs = taken ? askedAt + LEASE_MS : 0;
    return taken;
  }

  /** Stores that a statement which began at `askedAtMs` (of `performance.now()`) extended the lease. */
  noteProlonged(askedAtMs: number): void {
    if (this.#leaseEndsAtMs > 0) this.#leaseEndsAtMs = Math.max(this.#leaseEndsAtMs, askedAtMs + LEASE_MS);
  }

  /** Makes the lane take its lease again before it next uses it. */
  forgetLease(): void {
    this.#leaseEndsAtMs = 0;
  }

  /** Returns whether no attempt is under way and the last one started or ended more than `ms` milliseconds ago. */
  isIdleFor(ms: number): boolean {
    return !this.#checking && this.#inFlight.size === 0 && performance.now() - this.#activeAtMs > ms;
  }

  /** Resolves when no attempt is under way and none is being started. */
  async ended(): Promise<void> {
    while (this.#checking || this.#inFlight.size > 0) await Promise.all([this.#checking, ...this.#inFlight.values()]);
  }
}
