import type { payoutRules } from "#db/schema/payouts.ts";
import { type Money, money } from "#lib/money.ts";

type RulesRow = typeof payoutRules.$inferSelect;

/** The business's own rules for payouts. Null: no rule of its own. */
export interface PayoutRules extends Pick<RulesRow, "automatic" | "automaticAccountId"> {
  /** Naira of one payout. */
  maxAmount: Money | null;
  /** Naira of all payouts of a day in Lagos. */
  maxADay: Money | null;
  /** Two people decide about more Naira than this. */
  twoPeopleAbove: Money | null;
  /** Naira that stay in the wallet. */
  automaticReserve: Money;
  /** Null: the business has never set rules. */
  validFrom: Date | null;
}

const nairaOrNull = (kobo: bigint | null): Money | null => (kobo === null ? null : money(kobo, "NGN"));

export const NO_RULES: PayoutRules = {
  ...{ maxAmount: null, maxADay: null, twoPeopleAbove: null, automatic: null, automaticAccountId: null },
  automaticReserve: money(0n, "NGN"),
  validFrom: null,
};

export const rulesFromRow = ({ maxAmount, maxADay, twoPeopleAbove, automatic, automaticAccountId, ...row }: RulesRow): PayoutRules => ({
  ...{ maxAmount: nairaOrNull(maxAmount), maxADay: nairaOrNull(maxADay), twoPeopleAbove: nairaOrNull(twoPeopleAbove) },
  ...{ automatic, automaticAccountId, automaticReserve: money(row.automaticReserve, "NGN"), validFrom: row.validFrom },
});
