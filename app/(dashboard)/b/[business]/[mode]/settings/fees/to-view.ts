import { feeText } from "#app/(dashboard)/_page/fee-text.ts";
import type { Term } from "#components/settings/fees-and-limits.tsx";
import { formatMoney, money } from "#lib/money.ts";
import { lagosDateTime } from "#lib/time.ts";
import { MAX_FILE_BYTES, MAX_ROWS } from "#services/bulk/index.ts";
import { type listFees, MAX_FUNDING, MIN_FUNDING } from "#services/cards/index.ts";
import { MAX_LINK, MIN_LINK } from "#services/checkout/index.ts";
import type { Merchant } from "#services/context.ts";
import type { findCurrentRate } from "#services/exchange/index.ts";
import { MIN_PAYOUT, type PayoutFee, type PayoutLimits } from "#services/payouts/index.ts";
import { MAX_AIRTIME, MAX_ELECTRICITY, MAX_PINS, MIN_AIRTIME, MIN_ELECTRICITY } from "#services/vtu/index.ts";

type CardFee = Awaited<ReturnType<typeof listFees>>[number];
type Rate = Awaited<ReturnType<typeof findCurrentRate>>;

const FOR_YOU = "Your business";
const FOR_ALL = "Every business";

const usd = (minor: bigint) => formatMoney(money(minor, "USD"));
const naira = (major: number) => formatMoney(money(BigInt(major) * 100n, "NGN"));
const dollars = (major: number) => usd(BigInt(major) * 100n);

const KINDS: Record<CardFee["kind"], string> = { issue: "Issuing a card", fund: "Funding a card" };
const SOURCES: Record<CardFee["source"], string> = { own: FOR_YOU, platform: FOR_ALL, none: FOR_ALL };

/** Returns the fees, as they apply to a business. */
export const toFees = (fees: readonly CardFee[], payout: PayoutFee): Term[] => [
  ...fees.map(({ kind, rule, source }) => ({ key: kind, what: KINDS[kind], value: feeText(rule, "USD"), from: SOURCES[source] })),
  { key: "unload", what: "Unloading or ending a card", value: "Free", from: FOR_ALL },
  { key: "payout", what: "Sending money to your bank", value: feeText(payout.rule, "NGN"), from: payout.isOwn ? FOR_YOU : FOR_ALL },
  { key: "links", what: "Receiving a payment by link", value: "Free", from: FOR_ALL },
  { key: "vtu", what: "Buying a top-up", value: "In the price", from: FOR_ALL },
];

/** A rate has ten-thousandths of a Naira. */
const RATE_UNITS = 10_000;
const rateText = (rate: bigint) =>
  `₦${(Number(rate) / RATE_UNITS).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;

/** Returns the exchange rates. */
export function toRates(rate: Rate): Term[] {
  if (!rate) return [{ key: "none", what: "A dollar", value: "–", from: "No rate is valid now" }];
  const from = rate.isOwn ? FOR_YOU : FOR_ALL;
  return [
    { key: "sell", what: "A dollar on a card costs", value: rateText(rate.sell), from },
    { key: "buy", what: "A dollar from a card brings", value: rateText(rate.buy), from },
    { key: "until", what: "Both are valid", value: validityOf(rate.validUntil), from },
  ];
}

/** A rate without an end is stored with a date far in the future, at or after this one. */
const NO_END = new Date("2099-12-31T00:00:00Z");

const validityOf = (until: Date): string => (until < NO_END ? `Until ${lagosDateTime(until)}` : "Until they are changed");

const KILOBYTE = 1024;

/** Returns the limits. */
export const toLimits = ({ requestsPerSecond, requestBurst }: Merchant, payouts: PayoutLimits & { isOwn: boolean }): Term[] => [
  { key: "link", what: "One payment link", value: `${naira(MIN_LINK)} to ${naira(MAX_LINK)}`, from: FOR_ALL },
  ...[
    { key: "payout", what: "Sending to your bank, once", value: `${naira(MIN_PAYOUT)} to ${formatMoney(payouts.maxAmount)}` },
    { key: "payouts", what: "Sending to your bank, a day", value: `At most ${formatMoney(payouts.maxADay)}` },
  ].map((term) => ({ ...term, from: payouts.isOwn ? FOR_YOU : FOR_ALL })),
  { key: "fund", what: "Funding a card, once", value: `${dollars(MIN_FUNDING)} to ${dollars(MAX_FUNDING)}`, from: FOR_ALL },
  { key: "airtime", what: "Airtime, once", value: `${naira(MIN_AIRTIME)} to ${naira(MAX_AIRTIME)}`, from: FOR_ALL },
  { key: "electricity", what: "Electricity, once", value: `${naira(MIN_ELECTRICITY)} to ${naira(MAX_ELECTRICITY)}`, from: FOR_ALL },
  { key: "pins", what: "Exam pins, once", value: `1 to ${MAX_PINS}`, from: FOR_ALL },
  {
    ...{ key: "file", what: "A file of top-ups", from: FOR_ALL },
    value: `${MAX_ROWS.toLocaleString("en")} rows, ${MAX_FILE_BYTES / KILOBYTE} KB`,
  },
  {
    ...{ key: "api", what: "API requests", from: FOR_YOU },
    value: `${requestsPerSecond.toLocaleString("en")} a second, ${requestBurst.toLocaleString("en")} at once`,
  },
];
