import { AsyncLocalStorage } from "node:async_hooks";
import { ClientGone } from "./read-at-most.ts";

export interface Bounds {
  /** Running requests of all owners together. */
  maxAtWork: number;
  /** Running requests of one owner. */
  maxAtWorkOfOne: number;
  /** Requests of one owner that wait for their first slot. */
  maxWaitingOfOne: number;
  /** All requests of one owner: running, waiting for a slot, or outside their slot. */
  maxOfOne: number;
  /** A request that has waited for its first slot for this long is refused. */
  waitAtMostMs: number;
}

/** Thrown when the owner has too many requests, or when one waited too long for its slot. The request has not begun. */
export class NoSlot extends Error {
  override name = "NoSlot";
}

type Rank = "back" | "first" | "other";

interface Owner {
  name: string;
  here: number;
  atWork: number;
  /** The waiting requests: those that return to their slot, those with `first`, and the others; each in order of arrival. */
  waiting: Record<Rank, Set<() => void>>;
  lastRank: Rank;
}

/** The slot of one request. */
class Slot {
  readonly #leave: () => void;
  readonly #enter: () => Promise<void>;
  /** The number of the request's calls that run outside the slot now. */
  #outside = 0;
  #place: "inside" | "outside" | "coming back" = "inside";
  #back: Promise<void> | undefined;
  #isOver = false;

  constructor(leave: () => void, enter: () => Promise<void>) {
    this.#leave = leave;
    this.#enter = enter;
  }

  async callOutside<T>(call: () => Promise<T>): Promise<T> {
    if (this.#isOver) return call();
    this.#outside++;
    if (this.#place === "inside") {
      this.#place = "outside";
      this.#leave();
    }
    try {
      return await call();
    } finally {
      this.#outside--;
      if (this.#outside === 0 && this.#place === "outside" && !this.#isOver) this.#back = this.#comeBack();
      if (this.#place === "coming back") await this.#back;
    }
  }

  async #comeBack(): Promise<void> {
    this.#place = "coming back";
    await this.#enter();
    this.#place = "inside";
    if (this.#isOver) this.#leave();
  }

  /** Ends the slot. If a call outside outlives the request, the slot is free already, or is freed as soon as the call returns to it. */
  end(): void {
    this.#isOver = true;
    if (this.#place === "inside") this.#leave();
  }
}

const current = new AsyncLocalStorage<Slot>();

/**
 * Releases the slot of the calling request during a call that may wait for seconds, so that other requests of the owner
 * can run. After the call, the request gets the owner's next free slot. A request that waits for another request must wait through this
 * function. Then no waiting request occupies a slot, and requests cannot deadlock.
 */
export function outsideSlot<T>(call: () => Promise<T>): Promise<T> {
  const slot = current.getStore();
  return slot ? slot.callOutside(call) : call();
}

/** Slots for requests at work. Free slots go to the waiting owners in rotation, so many requests of one owner do not delay the others. */
export class FairSlots {
  readonly #bounds: Bounds;
  #atWork = 0;
  readonly #owners = new Map<string, Owner>();
  /** Owners with waiting requests, in the order in which they get the next free slots. */
  readonly #turns = new Set<Owner>();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /**
   * Runs `work` in a slot of the owner. Returns or throws as `work` does. Throws `NoSlot`, or `ClientGone` if `signal` aborts while the
   * request waits; `work` has not begun then. While both kinds wait, requests with `first` get every second free slot of the owner.
   */
  async run<T>(
    name: string,
    work: () => Promise<T>,
    { first = false, signal }: { first?: boolean; signal?: AbortSignal } = {},
  ): Promise<T> {
    const owner = this.#owners.get(name) ?? newOwner(name);
    const { maxOfOne, maxWaitingOfOne } = this.#bounds;
    if (owner.here >= maxOfOne || owner.waiting.first.size + owner.waiting.other.size >= maxWaitingOfOne)
      throw new NoSlot(`${name} has ${owner.here} requests in this process`);
    this.#owners.set(name, owner);
    owner.here++;
    try {
      await this.#enter(owner, first ? "first" : "other", signal);
      return await this.#workIn(owner, work);
    } finally {
      if (--owner.here === 0) this.#owners.delete(name);
    }
  }

  async #workIn<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const slot = new Slot(
      () => this.#leave(owner),
      () => this.#enter(owner, "back"),
    );
    try {
      return await current.run(slot, work);
    } finally {
      slot.end();
    }
  }

  #mayStart({ atWork }: Owner): boolean {
    return this.#atWork < this.#bounds.maxAtWork && atWork < this.#bounds.maxAtWorkOfOne;
  }

  async #enter(owner: Owner, rank: Rank, signal?: AbortSignal): Promise<void> {
    if (this.#mayStart(owner) && !hasWaiting(owner)) this.#begin(owner);
    else await this.#wait(owner, rank, signal);
  }

  #begin(owner: Owner): void {
    this.#atWork++;
    owner.atWork++;
  }

  #leave(owner: Owner): void {
    this.#atWork--;
    owner.atWork--;
    this.#startNext();
  }

  #wait(owner: Owner, rank: Rank, signal: AbortSignal | undefined): Promise<void> {
    const queue = owner.waiting[rank];
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", goAway);
        queue.delete(start);
        if (!hasWaiting(owner)) this.#turns.delete(owner);
      };
      const start = () => {
        end();
        this.#begin(owner);
        resolve();
      };
      const goAway = () => {
        end();
        reject(new ClientGone("the client closed the connection while its request waited"));
      };
      const giveUp = () => {
        end();
        reject(new NoSlot(`a request of ${owner.name} waited for ${this.#bounds.waitAtMostMs} ms`));
      };
      // A request that returns to its slot has executed something, so it is never refused. The statements before it have time limits.
      const timer = rank === "back" ? undefined : setTimeout(giveUp, this.#bounds.waitAtMostMs);
      queue.add(start);
      this.#turns.add(owner);
      signal?.addEventListener("abort", goAway, { once: true });
      if (signal?.aborted) goAway();
    });
  }

  /** Starts the next waiting request of the first owner that may start one. The owner then moves to the end of the rotation. */
  #startNext(): void {
    for (const owner of this.#turns) {
      if (!this.#mayStart(owner)) continue;
      this.#turns.delete(owner);
      owner.lastRank = nextRank(owner);
      const [start] = owner.waiting[owner.lastRank];
      start?.();
      if (hasWaiting(owner)) this.#turns.add(owner);
      return;
    }
  }
}

const newOwner = (name: string): Owner => ({
  ...{ name, here: 0, atWork: 0, lastRank: "other" },
  waiting: { back: new Set(), first: new Set(), other: new Set() },
});

const hasWaiting = ({ waiting }: Owner): boolean => Object.values(waiting).some((queue) => queue.size > 0);

/** Returns the queue of the next request: `back` before all others, then `first` and `other` alternately, so that neither starves. */
function nextRank({ waiting: { back, first, other }, lastRank }: Owner): Rank {
  if (back.size > 0) return "back";
  return first.size > 0 && (lastRank !== "first" || other.size === 0) ? "first" : "other";
}
