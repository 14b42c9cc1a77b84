/**
 * Returns a function that returns the milliseconds since this call. It takes the larger of the monotonic and the wall clock's time, because
 * the wall clock may be set back and the monotonic clock may stop while the machine sleeps.
 */
export function startStopwatch(): () => number {
  const monotonic = performance.now();
  const wall = Date.now();
  return () => Math.max(performance.now() - monotonic, Date.now() - wall);
}
