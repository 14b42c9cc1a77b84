export interface LaneLimits {
  /** Requests that are served at the same time. */
  maxActive: number;
  /** Requests that may wait; more are refused. */
  maxWaiting: number;
}

interface Waiting {
  start: () => void;
  /** Identifies one client of the lane. Undefined for a client without credentials. */
  owner: string | undefined;
}

interface Lane {
  active: number;
  waiting: Waiting[];
}

/**
 * Serves a few requests at a time for each network without known credentials. One that sends a thousand requests at once waits for its own
 * requests, and requests of other networks find the process free.
 */
export class FairQueue {
  readonly #lanes = new Map<string, Lane>();

  /** Calls `start` now or when the lane has room. The caller calls `leave` when the request is done. Returns false if too many wait. */
  enter(name: string, limits: LaneLimits, start: () => void, owner?: string): boolean {
    const lane = this.#lanes.get(name) ?? { active: 0, waiting: [] };
    this.#lanes.set(name, lane);
    if (lane.active < limits.maxActive) {
      lane.active++;
      start();
      return true;
    }
    if (lane.waiting.length >= limits.maxWaiting) return false;
    lane.waiting.push({ start, owner });
    return true;
  }

  /** Starts all waiting requests of an owner that no longer has to wait. */
  release(name: string, owner: string): void {
    const lane = this.#lanes.get(name);
    if (!lane) return;
    const released = lane.waiting.filter((each) => each.owner === owner);
    lane.waiting = lane.waiting.filter((each) => each.owner !== owner);
    lane.active += released.length;
    for (const { start } of released) setImmediate(start);
  }

  /** Ends a request of the lane and starts the next waiting one. */
  leave(name: string): void {
    const lane = this.#lanes.get(name);
    if (!lane) return;
    const next = lane.waiting.shift();
    if (next) {
      // Without setImmediate, the stack would grow with the queue when a request ends at once.
      setImmediate(next.start);
      return;
    }
    lane.active--;
    if (lane.active === 0) this.#lanes.delete(name);
  }
}
