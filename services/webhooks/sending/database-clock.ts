/** A smaller difference may come from a busy process. A larger one means that the database's clock was set. */
const TOLERANCE_MS = 250;

/** The database's clock, as this process follows it. All workers share it, whatever the clocks of their machines say. */
export class DatabaseClock {
  /** How far the database's clock is ahead of `performance.now()`. */
  #offsetMs: number | undefined;

  /**
   * Compares the estimate with a time that the database returned between two moments of `performance.now()`. The estimate stays if the time
   * that passed between them explains the difference, so that a busy process does not set its clock back.
   */
  observe(toldMs: number, askedAtMs: number, answeredAtMs: number): void {
    const [minOffsetMs, maxOffsetMs] = [toldMs - answeredAtMs, toldMs - askedAtMs];
    const known = this.#offsetMs;
    const isOff = known === undefined || known < minOffsetMs - TOLERANCE_MS || known > maxOffsetMs + TOLERANCE_MS;
    if (isOff) this.#offsetMs = (minOffsetMs + maxOffsetMs) / 2;
  }

  /** Returns the database's time. Throws an Error before the first `observe`. */
  now(): Date {
    if (this.#offsetMs === undefined) throw new Error("the database's time was not read yet");
    return new Date(performance.now() + this.#offsetMs);
  }
}
