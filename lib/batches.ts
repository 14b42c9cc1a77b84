interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

const COMPANY_MS = 2;
const WARM_FOR_MS = 5;
const MAX_WARM_LANES = 1_000;

/**
 * Runs what comes for a lane together: one batch of a lane at a time, and what comes while it runs goes with the next. So many that want
 * the same row share one commit, and a lane that is flooded keeps no more than one connection busy. A lane that has just had a batch waits
 * two milliseconds for company; one that was quiet begins at once. A batch that throws for one of its
 * items is run again item by item, so that nobody pays for a neighbour: `run` must bear that.
 */
export class Batches<Item, Result> {
  readonly #run: (lane: string, items: Item[]) => Promise<Result[]>;
  readonly #most: number;
  readonly #isAboutAnItem: (error: unknown) => boolean;
  readonly #lanes = new Map<string, Waiting<Item, Result>[]>();
  /** When a lane had its last batch. */
  readonly #endedAtMs = new Map<string, number>();

  /** `run` answers one result per item, in order, for at most `most` items. Where what it throws is about no item, all of them fail. */
  constructor(
    run: (lane: string, items: Item[]) => Promise<Result[]>,
    { most, isAboutAnItem }: { most: number; isAboutAnItem: (error: unknown) => boolean },
  ) {
    this.#run = run;
    this.#most = most;
    this.#isAboutAnItem = isAboutAnItem;
  }

  add(lane: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = this.#lanes.get(lane);
      if (waiting) waiting.push({ item, resolve, reject });
      else {
        const queue = [{ item, resolve, reject }];
        this.#lanes.set(lane, queue);
        if (this.#isWarm(lane)) setTimeout(() => this.#work(lane, queue), COMPANY_MS);
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

  /** Never rejects: what fails is told to who waits for it. */
  async #work(lane: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, this.#most);
      if (!(await this.#finish(lane, batch)) && batch.length > 1) {
        for (const one of batch) await this.#finish(lane, [one]);
      }
    }
    this.#cool(lane);
  }

  /** False when a batch of several failed, and nobody was told yet. */
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
