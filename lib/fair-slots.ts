import { AsyncLocalStorage } from "node:async_hooks";
import { ClientGone } from "./read-at-most.ts";

export interface Bounds {
  /** Requests at work, of all owners together. */
  maxAtWork: number;
  /** Requests at work of one owner. */
  maxAtWorkOfOne: number;
  /** Requests of one owner that wait for their first slot. */
  maxWaitingOfOne: number;
  /** Requests of one owner that are here: at work, waiting for a slot, or outside. */
  maxOfOne: number;
  /** A request that has waited for its first slot for this long is refused. */
  waitAtMostMs: number;
}

/** The owner has as many requests here as it may, or one waited too long. The request has not begun. */
export class NoSlot extends Error {
  override name = "NoSlot";
}

type Rank = "back" | "first" | "other";

interface Owner {
  name: string;
  here: number;
  atWork: number;
  /** Requests that come back, those that go first, and the others, each in order of arrival. */
  waiting: Record<Rank, Set<() => void>>;
  lastRank: Rank;
}

/** The slot of one request. */
class Slot {
  readonly #leave: () => void;
  readonly #enter: () => Promise<void>;
  /** How many of the request's calls wait outside at this moment. */
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

  /** Ends the slot. A call that outlives its request is outside already, or leaves once it is back. */
  end(): void {
    this.#isOver = true;
    if (this.#place === "inside") this.#leave();
  }
}

const current = new AsyncLocalStorage<Slot>();

/**
 * Runs a call that waits for someone else, for seconds perhaps, without the slot of the request that makes it: other requests of the owner
 * proceed meanwhile. Once the call has ended, the request is the owner's next. A request that waits for another one must wait through this
 * function: then no slot is held by a wait, and requests do not wait for each other in a circle.
 */
export function outsideSlot<T>(call: () => Promise<T>): Promise<T> {
  const slot = current.getStore();
  return slot ? slot.callOutside(call) : call();
}

/** Slots for requests at work. A free slot goes to the owners that wait in turn, so many requests of one owner delay no other's for long. */
export class FairSlots {
  readonly #bounds: Bounds;
  #atWork = 0;
  readonly #owners = new Map<string, Owner>();
  /** Owners with waiting requests. The one whose turn is next comes first. */
  readonly #turns = new Set<Owner>();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /**
   * Runs `work` in a slot of the owner. Returns or throws as `work` does. Throws `NoSlot`, and `ClientGone` where `signal` says so while the
   * request waits; `work` has not begun then. Requests with `first` take every other slot of the owner, while others wait too.
   */
  async run<T>(
    name: string,
    work: () => Promise<T>,
    { first = false, signal }: { first?: boolean; signal?: AbortSignal } = {},
  ): Promise<T> {
    const owner = this.#owners.get(name) ?? newOwner(name);
    const { maxOfOne, maxWaitingOfOne } = this.#bounds;
    if (owner.here >= maxOfOne || owner.waiting.first.size + owner.waiting.other.size >= maxWaitingOfOne)
      throw new NoSlot(`${name} has ${owner.here} requests here`);
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
      // Something of a request that comes back is executed already, so it is never refused. The statements before it end in time.
      const timer = rank === "back" ? undefined : setTimeout(giveUp, this.#bounds.waitAtMostMs);
      queue.add(start);
      this.#turns.add(owner);
      signal?.addEventListener("abort", goAway, { once: true });
      if (signal?.aborted) goAway();
    });
  }

  /** Starts the waiting request whose turn it is, if a slot is free for it. Its owner's next turn comes after those of all others. */
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

/** Those that come back precede all others. After one that goes first, one of the others begins, so that these never wait for all that go first. */
function nextRank({ waiting: { back, first, other }, lastRank }: Owner): Rank {
  if (back.size > 0) return "back";
  return first.size > 0 && (lastRank !== "first" || other.size === 0) ? "first" : "other";
}
