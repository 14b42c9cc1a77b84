/** Differences that a busy moment explains, not a clock that was set. */
const TOLERANCE_MS = 250;

/** The database's clock as this process follows it: one clock for all workers, whatever the machine's own one says. */
export class DatabaseClock {
  #aheadOfUsMs: number | undefined;

  /** Takes note of a time that the database told between two moments of `performance.now()`. */
  observe(toldMs: number, askedAtMs: number, answeredAtMs: number): void {
    const aheadMs = toldMs - (askedAtMs + answeredAtMs) / 2;
    const isOff = this.#aheadOfUsMs === undefined || Math.abs(aheadMs - this.#aheadOfUsMs) > TOLERANCE_MS;
    if (isOff) this.#aheadOfUsMs = aheadMs;
  }

  now(): Date {
    if (this.#aheadOfUsMs === undefined) throw new Error("the database has not told its time yet");
    return new Date(performance.now() + this.#aheadOfUsMs);
  }
}
