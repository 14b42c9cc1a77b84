const MINUTE_S = 60;

/** Returns a time to wait as people say it, rounded up: "40 seconds", "15 minutes". */
export function inWaitingTime(seconds: number): string {
  const [count, unit] = seconds <= MINUTE_S ? [Math.max(1, Math.ceil(seconds)), "second"] : [Math.ceil(seconds / MINUTE_S), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
