/** Differences that a busy moment explains, not a clock that was set. */
const TOLERANCE_MS = 250;

/** The database's clock as this process follows it: one clock for all workers, whatever the machine's own one says. */
export class DatabaseClock {
  #aheadOfUsMs: number | undefined;

  /**
   * Takes note of a time that the database told between two moments of `performance.now()`. The longer the answer takes, the less it
   * says: an estimate that any moment between the two explains is kept, so that a process that was busy does not turn its clock back.
   */
  observe(toldMs: number, askedAtMs: number, answeredAtMs: number): void {
    const [least, most] = [toldMs - answeredAtMs, toldMs - askedAtMs];
    const known = this.#aheadOfUsMs;
    const isOff = known === undefined || known < least - TOLERANCE_MS || known > most + TOLERANCE_MS;
    if (isOff) this.#aheadOfUsMs = (least + most) / 2;
  }

  now(): Date {
    if (this.#aheadOfUsMs === undefined) throw new Error("the database has not told its time yet");
    return new Date(performance.now() + this.#aheadOfUsMs);
  }
}
