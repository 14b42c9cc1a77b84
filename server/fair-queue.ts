export interface LaneLimits {
  /** Answered at the same time. */
  atOnce: number;
  /** More than that many are refused. */
  waiting: number;
}

interface Waiting {
  start: () => void;
  /** Whose it is, among those who share the lane. */
  owner: string | undefined;
}

interface Lane {
  active: number;
  waiting: Waiting[];
}

/**
 * Lets each network of strangers do a few things at a time. Who sends a thousand requests at once waits for their own, and everybody
 * else's requests find the process free.
 */
export class FairQueue {
  readonly #lanes = new Map<string, Lane>();

  /** Runs `start` now or when the lane has room; the one who runs it calls `leave` once it is done. Returns false where too many wait. */
  enter(name: string, limits: LaneLimits, start: () => void, owner?: string): boolean {
    const lane = this.#lanes.get(name) ?? { active: 0, waiting: [] };
    this.#lanes.set(name, lane);
    if (lane.active < limits.atOnce) {
      lane.active++;
      start();
      return true;
    }
    if (lane.waiting.length >= limits.waiting) return false;
    lane.waiting.push({ start, owner });
    return true;
  }

  /** Runs all that waits of an owner who need not wait any more. */
  release(name: string, owner: string): void {
    const lane = this.#lanes.get(name);
    if (!lane) return;
    const released = lane.waiting.filter((each) => each.owner === owner);
    lane.waiting = lane.waiting.filter((each) => each.owner !== owner);
    lane.active += released.length;
    for (const { start } of released) setImmediate(start);
  }

  leave(name: string): void {
    const lane = this.#lanes.get(name);
    if (!lane) return;
    const next = lane.waiting.shift();
    if (next) {
      // The stack would grow with the queue where one ends at once.
      setImmediate(next.start);
      return;
    }
    lane.active--;
    if (lane.active === 0) this.#lanes.delete(name);
  }
}
