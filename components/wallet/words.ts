interface Words {
  credit: string;
  debit: string;
}

/** A type whose entries have only one direction uses one wording. */
const same = (text: string): Words => ({ credit: text, debit: text });

const PRODUCTS = { airtime: "Airtime", data: "Data", cable: "Cable TV", electricity: "Electricity", exam: "Exam pins" };

const ofTopUps = Object.entries(PRODUCTS).flatMap(([service, name]): [string, Words][] => [
  [`vtu_${service}`, { debit: `${name} bought`, credit: `${name} paid back` }],
  [`vtu_${service}_reversal`, same(`${name} paid back`)],
  [`vtu_${service}_late_success`, same(`${name} delivered late`)],
]);

/** The words for what moved the wallet's money, by the type of its entry. */
const WORDS: Readonly<Record<string, Words>> = {
  payment_link: same("Payment received"),
  payment_link_recall: same("Payment taken back by the bank"),
  card_issue: { debit: "Card issued", credit: "Card issue paid back" },
  card_fund: { debit: "Card funded", credit: "Card funding paid back" },
  card_unload: same("Card unloaded"),
  card_terminate: { credit: "Balance of a terminated card", debit: "Missing money of a terminated card" },
  card_refund: same("Late refund to a terminated card"),
  card_charge: same("Late spend on a terminated card"),
  payout: same("Sent to your bank"),
  payout_late: same("Sent to your bank after all"),
  payout_reversal: same("Came back from your bank"),
  refund: same("Refunded to a customer"),
  refund_late: same("Refunded to a customer after all"),
  refund_reversal: same("Refund that came back"),
  receivable_recovery: same("Debt paid from this credit"),
  adjustment: same("Adjustment by the service"),
  ...Object.fromEntries(ofTopUps),
};

/** Returns the words for an entry. For a type that is not known here, returns the type's own name. */
export const wordsOfEntry = (type: string, direction: "credit" | "debit"): string =>
  WORDS[type]?.[direction] ?? type.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

const HELD: Readonly<Record<string, string>> = {
  card_issue: "A card that is being issued",
  card_fund: "A card that is being funded",
  payout: "Money on its way to your bank",
  refund: "A refund to a customer",
  ...Object.fromEntries(Object.entries(PRODUCTS).map(([service, name]) => [`vtu_${service}`, `${name} that is being bought`])),
};

/** Returns the words for the reason of a hold. */
export const wordsOfHold = (type: string): string => HELD[type] ?? "Something that is under way";

const TYPES = {
  checkout: ["payment_link", "payment_link_recall", "refund", "refund_reversal"],
  cards: ["card_issue", "card_fund", "card_unload", "card_terminate", "card_refund", "card_charge"],
  vtu: Object.keys(PRODUCTS).map((service) => `vtu_${service}`),
} as const;

const FILTER_WORDS: Readonly<Record<string, string>> = {
  payment_link: "Payments received",
  payment_link_recall: "Payments taken back",
  refund: "Refunds",
  refund_reversal: "Refunds that came back",
  card_issue: "Cards issued",
  card_fund: "Cards funded",
  card_unload: "Cards unloaded",
  card_terminate: "Cards terminated",
  card_refund: "Refunds to terminated cards",
  card_charge: "Spend on terminated cards",
};

/** Returns the types of entries that a filter offers, of the areas that a merchant has. */
export function choicesOfTypes(areas: readonly (keyof typeof TYPES)[]): { value: string; label: string }[] {
  const ofAreas = areas
    .flatMap((area) => [...TYPES[area]])
    .map((type) => ({ value: type, label: FILTER_WORDS[type] ?? wordsOfEntry(type, "debit") }));
  const reversals = areas.includes("vtu")
    ? TYPES.vtu.map((type) => ({ value: `${type}_reversal`, label: wordsOfEntry(`${type}_reversal`, "credit") }))
    : [];
  const payouts = [
    { value: "payout", label: "Sent to your bank" },
    { value: "payout_reversal", label: "Came back from your bank" },
  ];
  return [
    ...ofAreas,
    ...reversals,
    ...payouts,
    { value: "receivable_recovery", label: "Debts paid" },
    { value: "adjustment", label: "Adjustments" },
  ];
}
