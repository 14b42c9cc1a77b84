import { expect, test } from "vitest";
import { choicesOfTypes, wordsOfEntry, wordsOfHold } from "#components/wallet/words.ts";
import { naira } from "#lib/money.ts";
import type { Related, WalletTransaction } from "#services/ledger/index.ts";
import { hrefOf, newestOf, toDebtReason, toEntryRow, toHoldReason } from "./to-view.ts";

const createdAt = new Date("2026-11-21T10:00:00Z");
const link: Related = { type: "payment_link", id: "pl_1", reference: "REF1", cardId: null };

test.each([
  ["payment_link", "credit", "Payment received"],
  ["payment_link_recall", "debit", "Payment taken back by the bank"],
  ["card_fund", "debit", "Card funded"],
  ["card_unload", "credit", "Card unloaded"],
  ["vtu_airtime", "debit", "Airtime bought"],
  ["vtu_electricity_reversal", "credit", "Electricity paid back"],
  ["vtu_data_late_success", "debit", "Data delivered late"],
  ["receivable_recovery", "debit", "Debt paid from this credit"],
  ["adjustment", "credit", "Adjustment by the service"],
  ["suspense_explained", "credit", "Suspense explained"],
] as const)("an entry of type %s (%s) is described as: %s", (type, direction, text) => {
  expect(wordsOfEntry(type, direction)).toBe(text);
});

test.each([
  [link, "/test/links/REF1"],
  [{ type: "card", id: "card_1", reference: null, cardId: "card_1" }, "/test/cards/card_1"],
  [{ type: "card_operation", id: "cop_1", reference: "OPREF", cardId: "card_1" }, "/test/cards/card_1"],
  [{ type: "card_transaction", id: "ctx_1", reference: null, cardId: "card_1" }, "/test/cards/card_1"],
  [{ type: "purchase", id: "vtu_1", reference: "vtu_1", cardId: null }, "/test/top-ups/vtu_1"],
  [null, undefined],
] as [Related | null, string | undefined][])("an entry of %o leads to %s", (related, href) => {
  expect(hrefOf(related, "/test")).toBe(href);
});

test("a row of the history has a description, the balance and a link to the thing that moved the money", () => {
  const entry: WalletTransaction = {
    ...{ id: "ltr_1", seq: 7n, type: "payment_link", reference: "REF1", related: link, direction: "credit" },
    ...{ amount: naira(5_000), balanceAfter: naira(12_000), createdAt },
  };
  expect(toEntryRow(entry, "/b/biz_1/live")).toEqual({
    ...{ id: "ltr_1", text: "Payment received", reference: "REF1", href: "/b/biz_1/live/links/REF1", direction: "credit" },
    ...{ amount: naira(5_000), balanceAfter: naira(12_000), createdAt },
  });
});

test("an unknown hold still says that something is under way", () => {
  expect(wordsOfHold("vtu_airtime")).toBe("Airtime that is being bought");
  expect(wordsOfHold("something_new")).toBe("Something that is under way");
  const hold = { id: "ltr_2", type: "card_fund", reference: null, related: null, amount: naira(1), createdAt };
  expect(toHoldReason(hold, "/test")).toEqual({
    id: "ltr_2",
    text: "A card that is being funded",
    href: undefined,
    amount: naira(1),
    at: createdAt,
  });
});

test("a debt says what the wallet could not cover", () => {
  const debt = { id: "ltr_3", seq: 1n, type: "payment_link_recall", reference: "REF1", related: link, change: "raised" as const };
  const reason = toDebtReason({ ...debt, amount: naira(9), owedAfter: naira(9), createdAt }, "/test");
  expect(reason).toEqual({
    id: "ltr_3",
    text: "Payment taken back by the bank",
    href: "/test/links/REF1",
    amount: naira(9),
    at: createdAt,
  });
});

test("the five newest reasons are shown, and the page says whether there are more", () => {
  expect(newestOf([1, 2, 3, 4, 5])).toEqual({ newest: [1, 2, 3, 4, 5], hasMore: false });
  expect(newestOf([1, 2, 3, 4, 5, 6])).toEqual({ newest: [1, 2, 3, 4, 5], hasMore: true });
});

test("the filter of types leaves out the areas that are off", () => {
  const offered = (areas: Parameters<typeof choicesOfTypes>[0]) => choicesOfTypes(areas).map(({ value }) => value);
  expect(offered(["checkout"])).toEqual([
    ...["payment_link", "payment_link_recall", "refund", "refund_reversal", "payout", "payout_reversal"],
    ...["receivable_recovery", "adjustment"],
  ]);
  expect(offered(["cards", "vtu"])).not.toContain("payment_link");
  expect(offered(["vtu"])).toContain("vtu_airtime_reversal");
});
