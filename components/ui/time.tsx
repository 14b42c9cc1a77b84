import { exactTime, timeText } from "./time-text.ts";

interface TimeProps {
  at: Date | string;
  /** The time of the request, so that all relative times of a page are computed from the same moment. */
  now: Date | string;
}

/** A time for people: "12 min ago" up to a day, then "14 Nov, 16:05" in Lagos. The exact time is its title. */
export function Time({ at, now }: TimeProps) {
  const time = new Date(at);
  return (
    <time dateTime={time.toISOString()} title={exactTime(time)} className="whitespace-nowrap tabular-nums">
      {timeText(time, new Date(now))}
    </time>
  );
}
