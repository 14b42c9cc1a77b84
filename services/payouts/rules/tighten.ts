import type { Money } from "#lib/money.ts";
import type { PayoutRules } from "../payout-rules.ts";

export type ChosenRules = Omit<PayoutRules, "validFrom">;

/** Returns the lower of two limits. No limit is the highest. */
const lower = (a: Money | null, b: Money | null): Money | null => {
  if (a === null || b === null) return a ?? b;
  return b.minor < a.minor ? b : a;
};

/**
 * Returns the part of a change that allows no more than the rules before, so that it may begin at once: lower limits, a lower sum for two people, and no
 * automatic payout, or one less often or with a larger reserve. The rest begins a day later.
 */
export function tightened(before: ChosenRules, wanted: ChosenRules): ChosenRules {
  const limits = {
    maxAmount: lower(before.maxAmount, wanted.maxAmount),
    maxADay: lower(before.maxADay, wanted.maxADay),
    twoPeopleAbove: lower(before.twoPeopleAbove, wanted.twoPeopleAbove),
  };
  return { ...limits, ...(allowsMore(before, wanted) ? automaticOf(before) : automaticOf(wanted)) };
}

const automaticOf = ({ automatic, automaticAccountId, automaticReserve }: ChosenRules) => ({
  ...{ automatic, automaticAccountId, automaticReserve },
});

/** Returns whether wanted automatic payouts move money that those before would leave, or move it elsewhere. */
function allowsMore(before: ChosenRules, wanted: ChosenRules): boolean {
  if (wanted.automatic === null) return false;
  if (before.automatic === null || before.automaticAccountId !== wanted.automaticAccountId) return true;
  const isMoreOften = before.automatic === "week" && wanted.automatic === "day";
  return isMoreOften || wanted.automaticReserve.minor < before.automaticReserve.minor;
}

const textOf = (limit: Money | null) => (limit === null ? null : String(limit.minor));

/** Returns rules as the audit stores them, and as two of them are compared. In kobo. */
export const figuresOfRules = (rules: ChosenRules) => ({
  ...{ max_amount: textOf(rules.maxAmount), max_a_day: textOf(rules.maxADay), two_people_above: textOf(rules.twoPeopleAbove) },
  ...{ automatic: rules.automatic, automatic_account_id: rules.automaticAccountId },
  automatic_reserve: String(rules.automaticReserve.minor),
});

export const areSame = (a: ChosenRules, b: ChosenRules): boolean => JSON.stringify(figuresOfRules(a)) === JSON.stringify(figuresOfRules(b));
