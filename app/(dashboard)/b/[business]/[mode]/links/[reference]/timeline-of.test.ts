import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import type { PaymentLink, TimelineEntry } from "#services/checkout/index.ts";
import { timelineOf } from "./timeline-of.tsx";

const NOW = new Date("2026-11-21T12:00:00Z");
const link = { amount: naira(5_000), replaces: null } as PaymentLink;
type Transfer = Extract<TimelineEntry, { type: "transfer" }>;

const textOf = (entry: TimelineEntry): string => {
  const [said] = timelineOf(link, [entry], NOW);
  return renderToStaticMarkup(createElement("p", null, said?.text, ". ", said?.detail)).replaceAll(/<[^>]+>/g, "");
};
const transfer = (changes: Partial<Transfer>): Transfer => ({
  ...{ type: "transfer", at: NOW, amount: naira(4_000), classification: "underpaid", disposition: "returned" },
  ...{ senderName: "NGOZI EZE", senderBank: null, senderAccountLast4: null, sessionId: "s", sentBack: false },
  ...changes,
});

test.each([
  [{ classification: "underpaid" }, "₦4,000.00 came from NGOZI EZE, but ₦5,000.00 was due. It goes back to the account that sent it."],
  [{ classification: "overpaid" }, "₦4,000.00 came from NGOZI EZE, but only ₦5,000.00 was due. It goes back"],
  [{ classification: "late", sentBack: true }, "after the link had expired. It went back to the account that sent it."],
  [{ classification: "duplicate", senderName: null }, "₦4,000.00 came, but the link was paid already. It goes back"],
  [{ classification: "exact", disposition: "accepted" }, "₦4,000.00 came from NGOZI EZE, exactly what was due."],
  [{ classification: "exact", disposition: "recalled" }, "It paid the link. Later the bank took it back."],
] satisfies [Partial<Transfer>, string][])("the timeline states where the money of a transfer %j went", (changes, text) => {
  expect(textOf(transfer(changes))).toContain(text);
});

test("a sender's name cannot reverse the direction of the text after it", () => {
  expect(textOf(transfer({ senderName: "\u202eEZE\u2066" }))).toContain("came from EZE, but");
});

test("a delivery says which server was told, or why not", () => {
  const delivery = {
    type: "delivery",
    at: NOW,
    id: "d",
    eventType: "checkout.success",
    url: "https://orders.shop.ng/hook?token=s3cret",
  } as const;
  expect(textOf({ ...delivery, status: "delivered", attemptCount: 1, lastResponseStatus: 200 })).toContain(
    "orders.shop.ng was told. checkout.success, after 1 try",
  );
  expect(textOf({ ...delivery, status: "failed", attemptCount: 9, lastResponseStatus: 500 })).toContain(
    "It answered 500; it was given up after 9 tries.",
  );
  expect(textOf({ ...delivery, status: "pending", attemptCount: 2, lastResponseStatus: null })).toContain(
    "It did not answer; tried 2 times so far.",
  );
  expect(textOf({ ...delivery, status: "pending", attemptCount: 0, lastResponseStatus: null })).toBe(
    "orders.shop.ng will be told. checkout.success",
  );
});

test("the newest entry stands first", () => {
  const entries: TimelineEntry[] = [
    { type: "created", at: new Date(0) },
    { type: "opened", at: new Date(1), lastAt: new Date(2), times: 3 },
    { type: "posting", at: new Date(3), amount: naira(5_000), direction: "credit" },
  ];
  expect(timelineOf(link, entries, NOW).map(({ text }) => text)).toEqual([
    "Your wallet received the money",
    "The payment page was opened",
    "The link was created",
  ]);
});
