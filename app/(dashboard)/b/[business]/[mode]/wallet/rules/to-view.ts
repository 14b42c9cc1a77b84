import { feeText } from "#app/(dashboard)/_page/fee-text.ts";
import type { RuleRow } from "#components/wallet/payout-rules.tsx";
import { formatMoney, type Money, toMajorNumber } from "#lib/money.ts";
import type { PayoutFee, PayoutLimits, PayoutRules } from "#services/payouts/index.ts";
import { delayText } from "../read-sending.ts";

const orNone = (limit: Money | null, none: string): string => (limit === null ? none : formatMoney(limit));

/** Returns the rules of a business for people. `names` has its accounts by id. */
export function toRules(rules: PayoutRules, names: ReadonlyMap<string, string>): RuleRow[] {
  const { maxAmount, maxADay, twoPeopleAbove } = rules;
  return [
    { key: "amount", title: "One payout", fact: "More than this is refused.", value: orNone(maxAmount, "No limit of your own") },
    { key: "day", title: "All payouts of a day", fact: "A day ends at midnight in Lagos.", value: orNone(maxADay, "No limit of your own") },
    {
      ...{
        key: "two",
        title: "Two people above",
        fact: "One person alone sends at most so much a day. Above it a second owner or admin agrees.",
      },
      value: orNone(twoPeopleAbove, "One person decides"),
    },
    { key: "automatic", title: "Automatic payout", fact: automaticFact(rules), value: automaticValue(rules, names) },
  ];
}

const OFTEN = { day: "Every day", week: "Every Monday" } as const;

const automaticFact = ({ automatic, automaticReserve, twoPeopleAbove }: PayoutRules): string => {
  if (automatic === null) return "Money stays in the wallet until somebody sends it.";
  const most = twoPeopleAbove === null ? "" : ` At most ${formatMoney(twoPeopleAbove)} a day, because nobody agrees to it.`;
  return `From seven in the morning. ${formatMoney(automaticReserve)} stays in the wallet.${most}`;
};

function automaticValue({ automatic, automaticAccountId }: PayoutRules, names: ReadonlyMap<string, string>): string {
  if (automatic === null) return "Off";
  const to = names.get(automaticAccountId ?? "");
  return to === undefined ? `${OFTEN[automatic]}, to an account that was removed` : `${OFTEN[automatic]}, to ${to}`;
}

/** Returns the limits and the fee that the people who run the service have set. */
export const toServiceRules = ({ maxAmount, maxADay, delayMs }: PayoutLimits, fee: PayoutFee): RuleRow[] => [
  { key: "amount", title: "One payout", fact: "", value: formatMoney(maxAmount) },
  { key: "day", title: "All payouts of a day", fact: "", value: formatMoney(maxADay) },
  {
    ...{ key: "delay", title: "Payments wait", fact: "Money of payment links, because banks may take a payment back." },
    value: delayMs === 0 ? "Not at all" : `For ${delayMs === 3_600_000 ? "an hour" : delayText(delayMs)}`,
  },
  { key: "fee", title: "Fee of a payout", fact: "", value: feeText(fee.rule, "NGN") },
];

const majorOrNull = (limit: Money | null) => (limit === null ? null : toMajorNumber(limit));

/** Returns rules as the form begins with them. */
export const toChoices = ({ maxAmount, maxADay, twoPeopleAbove, automatic, automaticAccountId, automaticReserve }: PayoutRules) => ({
  ...{ maxAmount: majorOrNull(maxAmount), maxADay: majorOrNull(maxADay), twoPeopleAbove: majorOrNull(twoPeopleAbove) },
  ...{ automatic, automaticAccountId, automaticReserve: toMajorNumber(automaticReserve) },
});
