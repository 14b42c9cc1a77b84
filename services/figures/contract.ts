import { z } from "zod";
import { DAY_MS } from "#lib/time.ts";

/** The longest range of one reading: a year, and the month before it for comparison. */
const MAX_DAYS = 400;

const Day = z.iso.date({ error: "Send a day like 2026-01-31.", abort: true });

const daysOf = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Days in Lagos, both included. */
export const FigureDays = z
  .object({ from: Day, to: Day })
  .refine((days) => daysOf(days) >= 1, { path: ["to"], error: "Send a day that is not before `from`." })
  .refine((days) => daysOf(days) <= MAX_DAYS, { path: ["to"], error: `Send at most ${MAX_DAYS} days.` });
