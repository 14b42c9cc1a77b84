/**
 * Starts to measure time. The function that it returns tells the milliseconds since then, by the monotonic or by the wall clock, whichever
 * ran further: neither a wall clock that is set back nor a machine that sleeps hides time that has passed.
 */
export function startStopwatch(): () => number {
  const monotonic = performance.now();
  const wall = Date.now();
  return () => Math.max(performance.now() - monotonic, Date.now() - wall);
}
