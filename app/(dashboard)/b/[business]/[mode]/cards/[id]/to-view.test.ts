import { expect, test } from "vitest";
import { dollars, money, naira } from "#lib/money.ts";
import type { CardOperation, CardTransaction } from "#services/cards/index.ts";
import { endingOf, mergeNewest, toOperationEvent, toSpendEvent } from "./to-view.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 5, minute));

const spend = (fields: Partial<CardTransaction>): CardTransaction => ({
  ...{ merchantId: "mer_1", cardId: "card_1", id: "ctx_1", type: "AUTHORIZATION", status: "PENDING", merchantName: "Ikeja Supermarket" },
  ...{
    categoryCode: null,
    city: null,
    country: null,
    declineReason: null,
    relatedTransactionId: null,
    occurredAt: at(1),
    amount: dollars(8.8),
  },
  ...fields,
});

const operation = (fields: Partial<CardOperation>): CardOperation => ({
  ...{
    merchantId: "mer_1",
    id: "cop_1",
    cardId: "card_1",
    type: "fund",
    status: "completed",
    failureReason: null,
    reference: "r",
    createdAt: at(1),
  },
  ...{ amount: dollars(50), fee: dollars(1), exchangeRate: 16_000_000n, walletAmount: naira(81_600), cardBalance: dollars(50) },
  madeBy: { type: "member", id: "usr_1" },
  ...fields,
});

test("a decline for lack of money offers to fund the missing amount, and at least the smallest funding", () => {
  const decline = spend({ type: "DECLINE", status: "DECLINED", declineReason: "insufficient_funds", amount: dollars(60) });
  const event = toSpendEvent(decline, [decline], dollars(37.2));
  expect(event).toMatchObject({ detail: "Declined: there was not enough on the card.", lack: dollars(22.8), hasMoved: false });
  expect(toSpendEvent(decline, [], dollars(59.5)).lack).toEqual(dollars(1));
  expect(toSpendEvent(decline, [], dollars(60)).lack).toBeUndefined();
  // The reader may not fund, or the card is frozen.
  expect(toSpendEvent(decline, [], undefined).lack).toBeUndefined();
  expect(toSpendEvent({ ...decline, declineReason: "card_frozen" }, [], dollars(0)).lack).toBeUndefined();
});

test("an authorisation counts as spent until its clearing, which then counts instead, so that no charge counts twice", () => {
  expect(toSpendEvent(spend({}), [], undefined)).toMatchObject({ amount: money(-880n, "USD"), hasMoved: true });
  const cleared = spend({ status: "COMPLETED" });
  const clearing = spend({ id: "ctx_2", type: "CLEARING", status: "COMPLETED", relatedTransactionId: "ctx_1" });
  expect(toSpendEvent(cleared, [clearing, cleared], undefined)).toMatchObject({ amount: dollars(8.8), hasMoved: false });
  expect(toSpendEvent(clearing, [clearing, cleared], undefined)).toMatchObject({
    ...{ amount: money(-880n, "USD"), hasMoved: true },
    related: { id: "ctx_1", isHere: true, text: "Follows the $8.80 of Ikeja Supermarket" },
  });
});

test("a reason that we do not know is shown as the issuer wrote it", () => {
  const odd = spend({ type: "DECLINE", status: "DECLINED", declineReason: "velocity_limit" });
  expect(toSpendEvent(odd, [], undefined).detail).toBe("Declined: the card's issuer says “velocity limit”.");
});

test("a funding under way moves nothing yet, and says not to do it again", () => {
  const event = toOperationEvent(operation({ status: "processing" }));
  expect(event).toMatchObject({ text: "Funding under way", amount: dollars(50), hasMoved: false });
  expect(event.detail).toContain("Do not do it again");
  expect(toOperationEvent(operation({})).detail).toBe("₦81,600.00 at ₦1,600.00 for $1, with a fee of $1.00.");
});

test("a history merged from two lists ends where one list has a further page, so that no event is missing in between", () => {
  const event = (id: string, minute: number) => ({ ...toOperationEvent(operation({ id, createdAt: at(minute) })) });
  const money = { items: [event("a", 9), event("b", 7)], nextCursor: "more" };
  const shops = { items: [event("c", 8), event("d", 3)], nextCursor: null };
  const { events, hasOlder } = mergeNewest(shops, money);
  expect(events.map(({ id }) => id)).toEqual(["a", "c", "b"]);
  expect(hasOlder).toBe(true);
  expect(mergeNewest(shops, { ...money, nextCursor: null }).events.map(({ id }) => id)).toEqual(["a", "c", "b", "d"]);
});

test("a terminated card says how much returned to the wallet, and a card that was not issued says why", () => {
  const end = operation({
    type: "terminate",
    amount: dollars(37.2),
    fee: dollars(0),
    walletAmount: naira(55_800),
    exchangeRate: 15_000_000n,
  });
  expect(endingOf({ status: "TERMINATED" }, [end])).toContain("$37.20 was left. Your wallet got ₦55,800.00 at ₦1,500.00 for $1.");
  const refused = operation({ type: "issue", status: "failed", failureReason: "The issuer refused." });
  expect(endingOf({ status: "FAILED" }, [refused])).toBe("The issuer refused. Nothing was charged. Issue another one.");
  expect(endingOf({ status: "ACTIVE" }, [end])).toBeUndefined();
});
