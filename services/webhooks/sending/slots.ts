interface Request {
  merchantId: string;
  grant: () => void;
}

/**
 * A counting semaphore that merchants share. A merchant holds at most `maxEach` slots and waits when it needs more. Where all slots are
 * taken, the next one goes to the merchant with the fewest slots, and among equals to the one that has waited longest.
 */
export class Slots {
  #free: number;
  readonly #maxEach: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: Request[] = [];

  constructor(count: number, maxEach: number) {
    this.#free = count;
    this.#maxEach = maxEach;
  }

  /** Resolves when the merchant has a slot. */
  async take(merchantId: string): Promise<void> {
    if (this.#free > 0 && this.#heldBy(merchantId) < this.#maxEach) this.#hold(merchantId);
    else await new Promise<void>((grant) => this.#waiting.push({ merchantId, grant }));
  }

  /** Frees a slot of the merchant, and gives it to a request that waits. */
  giveBack(merchantId: string): void {
    const left = this.#heldBy(merchantId) - 1;
    if (left > 0) this.#held.set(merchantId, left);
    else this.#held.delete(merchantId);
    this.#free++;
    const next = this.#nextRequest();
    if (!next) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#hold(next.merchantId);
    next.grant();
  }

  #hold(merchantId: string): void {
    this.#free--;
    this.#held.set(merchantId, this.#heldBy(merchantId) + 1);
  }

  #heldBy(merchantId: string): number {
    return this.#held.get(merchantId) ?? 0;
  }

  #nextRequest(): Request | undefined {
    let [next, fewest]: [Request | undefined, number] = [undefined, this.#maxEach];
    for (const request of this.#waiting) {
      const held = this.#heldBy(request.merchantId);
      if (held < fewest) [next, fewest] = [request, held];
    }
    return next;
  }
}
