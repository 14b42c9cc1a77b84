interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/** A lane that has just run a batch waits this long for more items. */
const GATHER_MS = 2;
const WARM_FOR_MS = 5;
const MAX_WARM_LANES = 1_000;

/**
 * Runs the items of a lane in batches, one batch at a time; items that arrive meanwhile go into the next. So many callers of the same
 * row share one commit, and a flooded lane keeps only one connection busy. A lane that has just run a batch waits 2 ms for more items, and
 * a quiet lane starts at once. A batch that fails because of an item is run again item by item, so that no other item fails: `run` must be
 * safe to repeat.
 */
export class Batches<Item, Result> {
  readonly #run: (lane: string, items: Item[]) => Promise<Result[]>;
  readonly #maxItems: number;
  readonly #isAboutAnItem: (error: unknown) => boolean;
  readonly #lanes = new Map<string, Waiting<Item, Result>[]>();
  /** The time of each lane's last batch. */
  readonly #endedAtMs = new Map<string, number>();

  /**
   * `run` takes at most `most` items and returns one result for each, in order. If it throws an error that is not about an item, all items
   * fail.
   */
  constructor(
    run: (lane: string, items: Item[]) => Promise<Result[]>,
    { most, isAboutAnItem }: { most: number; isAboutAnItem: (error: unknown) => boolean },
  ) {
    this.#run = run;
    this.#maxItems = most;
    this.#isAboutAnItem = isAboutAnItem;
  }

  /** Adds an item to the lane. Returns its result, or rejects with the error of its batch. */
  add(lane: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = this.#lanes.get(lane);
      if (waiting) waiting.push({ item, resolve, reject });
      else {
        const queue = [{ item, resolve, reject }];
        this.#lanes.set(lane, queue);
        if (this.#isWarm(lane)) setTimeout(() => this.#work(lane, queue), GATHER_MS);
        else void this.#work(lane, queue);
      }
    });
  }

  #isWarm(lane: string): boolean {
    return performance.now() - (this.#endedAtMs.get(lane) ?? Number.NEGATIVE_INFINITY) < WARM_FOR_MS;
  }

  #cool(lane: string): void {
    this.#lanes.delete(lane);
    if (this.#endedAtMs.size > MAX_WARM_LANES) this.#endedAtMs.clear();
    this.#endedAtMs.set(lane, performance.now());
  }

  /** Runs the lane's queue until it is empty. Never rejects: each failure rejects the promise of its item. */
  async #work(lane: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, this.#maxItems);
      if (!(await this.#finish(lane, batch)) && batch.length > 1) {
        for (const one of batch) await this.#finish(lane, [one]);
      }
    }
    this.#cool(lane);
  }

  /** Runs a batch and settles its items. Returns false, and settles none, where a batch of several failed because of an item. */
  async #finish(lane: string, batch: Waiting<Item, Result>[]): Promise<boolean> {
    try {
      const results = await this.#run(
        lane,
        batch.map(({ item }) => item),
      );
      if (results.length !== batch.length) throw new Error(`${batch.length} items had ${results.length} results`);
      for (const [n, { resolve }] of batch.entries()) resolve(results[n] as Result);
    } catch (error) {
      if (batch.length > 1 && this.#isAboutAnItem(error)) return false;
      for (const { reject } of batch) reject(error);
    }
    return true;
  }
}
