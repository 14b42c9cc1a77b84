import { type Command, InvalidArgumentError, Option } from "commander";
import { toMinorUnits } from "#lib/money.ts";
import { toRate } from "#services/exchange/index.ts";

// Parsers of options for commander. Each throws InvalidArgumentError with a message for the user.

/** Returns a number that is not below 0. */
export function toNumber(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError("Write a number, not below 0, like 1600.25.");
  return Number(text);
}

/** Returns a rate, Naira for a dollar, from a number above zero. */
export function toRateOption(text: string): bigint {
  const rate = toRate(toNumber(text));
  if (rate === undefined) throw new InvalidArgumentError("Write a number above zero, with at most four decimals.");
  return rate;
}

/** Returns cents from an amount in US dollars. */
export function toCents(text: string): bigint {
  const cents = toMinorUnits(toNumber(text));
  if (cents === undefined) throw new InvalidArgumentError("Write an amount in dollars, with at most two decimals.");
  return cents;
}

/** Returns kobo from an amount in Naira. */
export function toKobo(text: string): bigint {
  const kobo = toMinorUnits(toNumber(text));
  if (kobo === undefined) throw new InvalidArgumentError("Write an amount in Naira, with at most two decimals.");
  return kobo;
}

/** Returns a time from a text like `2026-12-01T08:00+01:00`. */
export function toTime(text: string): Date {
  const hasZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  const time = new Date(text);
  if (!hasZone || Number.isNaN(time.getTime())) throw new InvalidArgumentError("Write a time with its zone, like 2026-12-01T08:00+01:00.");
  return time;
}

/** Collects the values of an option that may be given more than once. */
export const collected = (value: string, before: string[] = []): string[] => [...before, value];

export const REASON = ["--reason <text>", "what you found; it goes to the audit"] as const;

/** The options of `withBanksWord`. */
export interface BanksWord {
  outcome: "paid" | "failed" | "reversed";
  was: BanksWord["outcome"] | "processing";
  evidence: string;
  reason: string;
}

/** Adds the options of a command that settles a payout or refund with a bank's word. */
export const withBanksWord = (command: Command): Command =>
  command
    .addOption(new Option("--outcome <outcome>", "what the bank says").choices(["paid", "failed", "reversed"]).makeOptionMandatory())
    .addOption(
      new Option("--was <status>", "its state as you have seen it")
        .choices(["processing", "paid", "failed", "reversed"])
        .default("processing"),
    )
    .requiredOption("--evidence <text>", "where the bank's word can be found: a ticket, a mail; it goes to the audit")
    .requiredOption(...REASON);
