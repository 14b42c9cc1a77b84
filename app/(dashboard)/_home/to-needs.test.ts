import { expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#lib/time.ts";
import { MAX_OF_A_KIND, type NeedsRead } from "./read-needs.ts";
import { toNeeds } from "./to-needs.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (ms: number) => new Date(now.getTime() - ms);
const NOTHING = naira(0);

const read = (found: object): NeedsRead => ({
  ...{ returned: [], refused: [], checking: [], failedOperations: [], longOperations: [] },
  ...{ failedPurchases: [], longPurchases: [], endpoints: [], alerts: [], newestAlertId: null, ...found },
});
const needsOf = (found: object, owed = NOTHING) => toNeeds(read(found), { owed }, { base: "/test", now });
const textsOf = (found: object, owed = NOTHING) => needsOf(found, owed).needs.map(({ text }) => text);

const returned = (changes: object = {}) => ({
  ...{ id: "btr_1", amount: naira(4_000), classification: "underpaid", senderName: "NGOZI EZE", sentBack: false, receivedAt: ago(HOUR_MS) },
  ...{ link: { reference: "8FK2AAAAAAX9Q", amount: naira(5_000) }, ...changes },
});
const holder = { id: 7, firstName: "Ngozi", lastName: "Eze", kycRejectionReason: "The photo is dark.", createdAt: ago(2 * HOUR_MS) };
const card = { id: "card_1", nickname: "Ads", brand: "VISA", last4: "4417", cardholder: holder };
const purchase = {
  id: "vtu_1",
  productName: "MTN airtime",
  recipient: "08031234567",
  amount: naira(200),
  refunded: naira(200),
  createdAt: ago(HOUR_MS),
};

test.each([
  ["underpaid", "₦4,000.00 came for 8FK2…\u2060AAAX9Q, ₦5,000.00 was due"],
  ["late", "₦4,000.00 came too late for 8FK2…\u2060AAAX9Q"],
  ["duplicate", "₦4,000.00 came a second time for 8FK2…\u2060AAAX9Q"],
])("a transfer that is %s is described as: %s", (classification, text) => {
  const { needs } = needsOf({ returned: [returned({ classification })] });
  expect(needs).toEqual([
    expect.objectContaining({
      text,
      detail: "It goes back to NGOZI EZE.",
      action: { href: "/test/links/8FK2AAAAAAX9Q", label: "View link" },
    }),
  ]);
});

test("home shows a refused identity for two weeks, and an identity check once it takes longer than an hour", () => {
  expect(textsOf({ refused: [holder] })).toEqual(["Ngozi Eze's identity was refused"]);
  expect(textsOf({ refused: [{ ...holder, createdAt: ago(15 * DAY_MS) }] })).toEqual([]);
  expect(textsOf({ checking: [holder] })).toEqual(["Ngozi Eze's identity is still being checked"]);
  expect(textsOf({ checking: [{ ...holder, createdAt: ago(MINUTE_MS) }] })).toEqual([]);
});

test("a failed operation says why, and one that takes long says not to do it again", () => {
  const operation = { id: "cop_1", type: "fund", card, failureReason: "The issuer refused.", createdAt: ago(HOUR_MS) };
  expect(needsOf({ failedOperations: [{ ...operation, status: "failed" }] }).needs[0]).toMatchObject({
    ...{ text: "Funding Ads ••4417, Ngozi Eze failed", detail: "The issuer refused.", tone: "danger" },
  });
  expect(needsOf({ longOperations: [{ ...operation, status: "processing" }] }).needs[0]).toMatchObject({
    ...{ text: "Funding Ads ••4417, Ngozi Eze takes long", detail: "We do not know yet how it ends. Do not do it again.", tone: "waiting" },
  });
});

test("a failed purchase says how much is back in the wallet", () => {
  expect(needsOf({ failedPurchases: [{ ...purchase, status: "failed" }] }).needs[0]).toMatchObject({
    ...{ text: "MTN airtime for 08031234567 was not delivered", detail: "₦200.00 is back in your wallet." },
    action: { href: "/test/top-ups/vtu_1", label: "View" },
  });
});

test("a debt is shown first, and a merchant without a debt sees none", () => {
  expect(textsOf({ returned: [returned()] }, naira(5))[0]).toBe("You owe ₦5.00");
  expect(textsOf({}, NOTHING)).toEqual([]);
});

test("home shows an endpoint that has failed for ten minutes while it is enabled, and no disabled endpoint", () => {
  const endpoint = { id: "we_1", url: "https://orders.shop.ng/hook", status: "enabled", failingSince: ago(2 * HOUR_MS) };
  expect(textsOf({ endpoints: [endpoint] })).toEqual(["orders.shop.ng does not take events"]);
  expect(textsOf({ endpoints: [{ ...endpoint, failingSince: ago(MINUTE_MS) }] })).toEqual([]);
  expect(textsOf({ endpoints: [{ ...endpoint, status: "disabled" }] })).toEqual([]);
});

test("home shows an alert for a week, with a link to the thing that it is about", () => {
  const alert = { id: "alt_1", type: "card.blocked", message: "Our people look into it.", resourceId: "card_1", createdAt: ago(HOUR_MS) };
  expect(needsOf({ alerts: [alert] }).needs[0]).toMatchObject({
    text: "A card is blocked",
    action: { href: "/test/cards/card_1", label: "View card" },
  });
  expect(textsOf({ alerts: [{ ...alert, createdAt: ago(8 * DAY_MS) }] })).toEqual([]);
});

test("home shows the three newest of a kind, and says whether there are more", () => {
  const many = [1, 2, 3, 4].map((hours) => returned({ id: `btr_${hours}`, receivedAt: ago(hours * HOUR_MS) }));
  const { needs, hasMore } = needsOf({ returned: many.toReversed() });
  expect(needs.map(({ key }) => key)).toEqual(["btr_1", "btr_2", "btr_3"]);
  expect([needs.length, hasMore]).toEqual([MAX_OF_A_KIND, true]);
  expect(needsOf({ returned: many.slice(1) }).hasMore).toBe(false);
});
