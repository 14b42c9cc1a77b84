const MINUTE_S = 60;

/** Returns what a form says after too many failed tries. */
export const tooManyTries = (waitSeconds: number): string =>
  `There were too many failed tries. Wait ${inWaitingTime(waitSeconds)}, then try again.`;

/** Returns a time to wait as people say it, rounded up: "40 seconds", "15 minutes". */
export function inWaitingTime(seconds: number): string {
  const [count, unit] = seconds <= MINUTE_S ? [Math.max(1, Math.ceil(seconds)), "second"] : [Math.ceil(seconds / MINUTE_S), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
