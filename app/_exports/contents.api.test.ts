import { beforeAll, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { naira, toPlainDigits } from "#lib/money.ts";
import { toE164 } from "#lib/phone.ts";
import { DAY_MS, HOUR_MS, lagosDay } from "#lib/time.ts";
import { aCard, aCardMerchant, spendOf } from "#services/cards/cards.fixture.ts";
import { createCardholder, simulateSpend } from "#services/cards/index.ts";
import { listOperationsOfCards } from "#services/cards/operations/list-operations.ts";
import { listSpendOfCards } from "#services/cards/spend/list-transactions.ts";
import { aLink, hear, noticeOf } from "#services/checkout/checkout.fixture.ts";
import { ListPaymentLinksQuery, listPaymentLinks } from "#services/checkout/index.ts";
import { storeLinks } from "#services/checkout/links/links-in-bulk.fixture.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { buyProduct } from "#services/vtu/index.ts";
import { airtime, aMeter, aPhone, aVtuMerchant, productNamed } from "#services/vtu/vtu.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { download, exportPath, rowsOf } from "./export-client.fixture.ts";

withDatabase();
const app = withApp();
withCardSweeps();

let cards: TestMerchant;
let top: TestMerchant;
const members = new Map<TestMerchant, TestMember>();

beforeAll(async () => {
  [cards, top] = [await aCardMerchant(), await aVtuMerchant()];
  for (const shop of [cards, top]) members.set(shop, await aMember(shop.merchant.businessId, "viewer"));
});

const memberOf = (shop: TestMerchant): TestMember => {
  const member = members.get(shop);
  if (!member) throw new Error("no member");
  return member;
};
const exported = async (shop: TestMerchant, list: string, query: Record<string, string> = {}) =>
  rowsOf(await download(app, memberOf(shop), exportPath(list, { merchant: shop.merchant.id, ...query })));
const listed = async (shop: TestMerchant, path: string, query: Record<string, string> = {}) =>
  (await pageClient(app, memberOf(shop), shop.merchant.id)("GET", `${path}?${new URLSearchParams({ limit: "100", ...query })}`)).body.data;
const column = (rows: Record<string, string>[], heading: string) => rows.map((row) => row[heading]);
const field = (rows: Record<string, unknown>[], name: string) => rows.map((row) => row[name]);
const lagos = (time: Date) => `${new Date(time.getTime() + HOUR_MS).toISOString().slice(0, 19)}+01:00`;
const plain = (amount: unknown) => Number(amount).toFixed(2);

test("payment links obey the filters of the list, in its order, also where no index serves a filter", async () => {
  await storeLinks(top.merchant.id, { count: 120, everyMs: DAY_MS, status: (n) => (n % 3 === 0 ? "success" : "expired") });
  const after = new Date(Date.now() - 30 * DAY_MS).toISOString();
  for (const query of [
    {},
    { status: "success" },
    { created_after: after },
    { status: "expired", created_after: after, created_before: new Date().toISOString() },
  ]) {
    const rows = await exported(top, "payment-links", query);
    const { items } = await listPaymentLinks(top.ctx, {
      limit: 1_000,
      ...ListPaymentLinksQuery.pick({ status: true, created_after: true, created_before: true }).parse(query),
    });
    expect(items.length).toBeGreaterThan(15);
    expect(column(rows, "Reference")).toEqual(items.map(({ reference }) => reference));
    expect(column(rows, "Created")).toEqual(items.map(({ createdAt }) => lagos(createdAt)));
    expect(column(rows, "Amount")).toEqual(items.map(({ amount }) => toPlainDigits(amount)));
  }
  expect(await exported(top, "payment-links")).toHaveLength(120);
  expect(column(await exported(top, "payment-links", { min_amount: "100.5", max_amount: "100.52" }), "Amount")).toEqual([
    "100.52",
    "100.51",
    "100.50",
  ]);
});

test("the file of a search has all its rows, also beyond those that one answer examines", async () => {
  await storeLinks(cards.merchant.id, { count: 12_000, everyMs: 1_000 });
  expect(column(await exported(cards, "payment-links", { min_amount: "100", max_amount: "100.01" }), "Amount")).toEqual([
    "100.01",
    "100.00",
  ]);
}, 60_000);

test("text that is a formula is escaped, and names, markup and line breaks come whole", async () => {
  const link = await aLink(top, {
    description: "=cmd|'/C calc'!A0, \"quoted\"",
    customer_name: "Ọ̀ṣun <b>&</b> 🛒",
    metadata: { order: "=1+1" },
  });
  const [row] = await exported(top, "payment-links");
  expect(row).toMatchObject({
    Reference: link.reference,
    Description: `'=cmd|'/C calc'!A0, "quoted"`,
    "Customer name": "Ọ̀ṣun <b>&</b> 🛒",
    Metadata: '{"order":"=1+1"}',
  });
});

test("the wallet's history has debits with a minus, so that amounts add up to the balance", async () => {
  await hear(noticeOf(await aLink(top)));
  await buyProduct(top.ctx, airtime());
  const [rows, wanted] = [await exported(top, "wallet"), await listed(top, "/api/v1/wallet/transactions")];
  expect(column(rows, "Transfer")).toEqual(field(wanted, "id"));
  expect(column(rows, "Balance after")).toEqual(field(wanted, "balance_after").map(plain));
  expect(rows.reduce((sum, { Amount = "" }) => sum + Math.round(Number(Amount) * 100), 0)).toBe(
    Math.round(Number(rows[0]?.["Balance after"]) * 100),
  );
  const debits = await exported(top, "wallet", { direction: "debit", type: "vtu_airtime" });
  expect(debits.map(({ Amount, Type }) => [Amount, Type])).toEqual([["-500.00", "vtu_airtime"]]);
});

test("a statement has its entries between its balances, and adds up to the kobo", async () => {
  const month = lagosDay(new Date()).slice(0, 7);
  const [first, ...rest] = await exported(top, "wallet-statement", { month });
  const last = rest.pop();
  const history = await exported(top, "wallet");
  expect(column(rest, "Transfer")).toEqual(column(history, "Transfer"));
  expect([first, last]).toMatchObject([
    { Type: "balance so far", Balance: history[0]?.["Balance after"], Time: "", In: "", Out: "" },
    { Type: "opening balance", Balance: "0.00" },
  ]);
  const kobo = (text = "") => Math.round(Number(text) * 100);
  const sum = rest.reduce((total, { In, Out }) => total + kobo(In) - kobo(Out), 0);
  expect(kobo(last?.Balance) + sum).toBe(kobo(first?.Balance));
  for (const wrong of ["2026-13", "1999-01"]) {
    const { status, headers } = await download(
      app,
      memberOf(top),
      exportPath("wallet-statement", { merchant: top.merchant.id, month: wrong }),
    );
    expect(status).toBe(wrong === "1999-01" ? 404 : 422);
    expect(headers.get("content-disposition")).toBeNull();
  }
});

test("purchases have no token and no pin, and their phone numbers are no formulas", async () => {
  const phone = aPhone();
  await buyProduct(top.ctx, airtime({ phone }));
  const disco = await productNamed("sandbox", "electricity", "ikeja-electric");
  const meter = aMeter();
  const bought = await buyProduct(top.ctx, {
    ...{ service: "electricity", productId: disco.id, meterNumber: meter, meterType: "Prepaid" },
    ...{ amount: naira(1_000), customer: {}, allowDuplicate: false },
  });
  expect(bought.secrets).toMatchObject({ tokens: [expect.stringMatching(/\d{4}/)] });
  const [rows, wanted] = [await exported(top, "purchases"), await listed(top, "/api/v1/vtu/transactions")];
  expect(column(rows, "Reference")).toEqual(field(wanted, "reference"));
  const byReference = new Map(rows.map((row) => [row.Reference, row]));
  expect(byReference.get(bought.id)).toMatchObject({ Recipient: meter, Amount: "1000.00", Service: "electricity" });
  expect(rows.map(({ Recipient = "" }) => toE164(Recipient))).toContain(phone);
  const { text } = await download(app, memberOf(top), exportPath("purchases", { merchant: top.merchant.id }));
  const secrets = typeof bought.secrets === "string" ? [] : bought.secrets.tokens;
  expect(secrets).not.toEqual([]);
  for (const token of secrets) expect(text.replaceAll(/\D/g, "")).not.toContain(token.replaceAll(/\D/g, ""));
  expect(text).not.toContain("+234");
  expect(column(await exported(top, "purchases", { service: "electricity" }), "Reference")).toEqual([bought.id]);
});

test("cards, cardholders, operations and spend come as their lists, without any card number", async () => {
  const card = await aCard(cards, { balance: 20 });
  await createCardholder(cards.ctx, { firstName: "=Tunde", lastName: "Ade", email: "tunde@example.com", phone: "+2348031234567" });
  await simulateSpend(cards.ctx, card.id, spendOf({ merchant_name: "@Shop" }));
  const holders = await exported(cards, "cardholders");
  expect(column(holders, "Cardholder id")).toEqual(
    field(await listed(cards, "/api/v1/virtual-cards/cardholders"), "id").map((id) => `'${id}`),
  );
  expect(holders[0]).toMatchObject({ "First name": "'=Tunde", Phone: "0803 123 4567", Email: "tunde@example.com" });
  const [own] = await exported(cards, "cards", { status: "ACTIVE" });
  expect(own).toMatchObject({ Card: card.id, Balance: "19.00", Currency: "USD", Cardholder: "Ngozi Eze" });
  expect(own?.["Last four digits"]?.replace(/^'/, "")).toBe(card.last4);
  expect(await exported(cards, "cards", { status: "FROZEN" })).toEqual([]);
  const operations = await listOperationsOfCards(cards.ctx, { limit: 100 });
  const rows = await exported(cards, "card-operations");
  expect(column(rows, "Operation")).toEqual(operations.items.map(({ id }) => id));
  expect(column(rows, "Wallet amount")).toEqual(operations.items.map(({ walletAmount }) => toPlainDigits(walletAmount)));
  expect(column(await exported(cards, "card-operations", { type: "fund", status: "completed" }), "Amount")).toEqual(["20.00"]);
  const spend = await listSpendOfCards(cards.ctx, { limit: 100 });
  const spent = await exported(cards, "card-spend", { type: "AUTHORIZATION" });
  expect(column(spent, "Transaction")).toEqual(spend.items.map(({ id }) => id));
  expect(spent[0]).toMatchObject({ Shop: "'@Shop", Amount: "1.00", Direction: "debit" });
  for (const list of ["cards", "cardholders", "card-operations", "card-spend"]) {
    const { text } = await download(app, memberOf(cards), exportPath(list, { merchant: cards.merchant.id }));
    expect(text).not.toMatch(/\b\d{16}\b|\bcvv/i);
  }
});

test("a file has only rows of its merchant", async () => {
  expect(await exported(top, "cards")).toEqual([]);
  expect(await exported(cards, "purchases")).toEqual([]);
});
