import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { SECOND_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { listCards } from "./cards/list-cards.ts";
import { listOperationsOfCards } from "./operations/list-operations.ts";
import { listSpendOfCards } from "./spend/list-transactions.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const MANY = 10_000;
const END = new Date("2026-03-01T00:00:00.000Z");
const timeOf = (n: number) => END.getTime() - (MANY - 1 - n) * 10 * SECOND_MS;
const CARDS = 5;

let shop: TestMerchant;
/** Oldest first. */
let operations: string[];
let spend: string[];
let cards: string[];

beforeAll(async () => {
  shop = await aMerchant();
  const { id: merchantId } = shop.merchant;
  await sql()`
    insert into cardholders (merchant_id, id, reference, first_name, last_name, email, provider, made_by)
    select ${merchantId}, n, 'ch_' || n, 'Ngozi ' || n, 'Eze', n || '@cards.example', 'sandbox', 'system:test' from generate_series(1, ${CARDS}) n`;
  cards = Array.from({ length: CARDS }, (_, n) => newId("card", timeOf(n)));
  await sql()`
    insert into cards (merchant_id, id, cardholder_id, brand, provider, made_by, created_at)
    select ${merchantId}, id, n, 'VISA', 'sandbox', 'system:test', ${END.toISOString()}::text::timestamptz - (${MANY} - n) * interval '10 s'
    from unnest(${cards}::text[]) with ordinality as c (id, n)`;
  const rowsOf = (kind: "cardOperation" | "cardTransaction") =>
    Array.from({ length: MANY }, (_, n) => ({
      id: newId(kind, timeOf(n)),
      n,
      at: new Date(timeOf(n)).toISOString(),
      card: cards[n % CARDS],
    }));
  const [made, spent] = [rowsOf("cardOperation"), rowsOf("cardTransaction")];
  await sql()`
    insert into card_operations (merchant_id, id, card_id, type, status, reference, amount, fee, wallet_amount, failure_reason, made_by, created_at, completed_at)
    select ${merchantId}, r.id, r.card, case when n % 50 = 0 then 'freeze' else 'fund' end::card_operation_type,
      case when n % 100 = 1 then 'failed' else 'completed' end::card_operation_status, r.id, 100, 0, 0, case when n % 100 = 1 then 'x' end, 'system:test', at, at
    from jsonb_to_recordset(${JSON.stringify(made)}::text::jsonb) as r (id text, n int, at timestamptz, card text)`;
  await sql()`
    insert into card_transactions (merchant_id, card_id, id, provider_transaction_id, type, status, amount, currency, merchant_name, decline_reason, occurred_at, created_at)
    select ${merchantId}, r.card, r.id, r.id, case when n % 50 = 0 then 'DECLINE' else 'CLEARING' end::card_transaction_type,
      case when n % 50 = 0 then 'DECLINED' else 'COMPLETED' end::card_transaction_status, 100, 'USD', 'Netflix', case when n % 50 = 0 then 'x' end, at, at
    from jsonb_to_recordset(${JSON.stringify(spent)}::text::jsonb) as r (id text, n int, at timestamptz, card text)`;
  await sql()`analyze cards, card_operations, card_transactions, cardholders`;
  [operations, spend] = [made.map(({ id }) => id), spent.map(({ id }) => id)];
});

const newest = (ids: string[], passes: (n: number) => boolean) => ids.filter((_, n) => passes(n)).toReversed();
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

test("operations of all cards are listed newest first, each with its card and cardholder, without reading more rows than it shows", async () => {
  const rows = await rowsRead("card_operations", async () => {
    const page = await listOperationsOfCards(shop.ctx, { limit: 20 });
    expect(idsOf(page)).toEqual(newest(operations, () => true).slice(0, 20));
    expect(page.items[0]?.card).toEqual({
      ...{ id: cards[(MANY - 1) % CARDS], brand: "VISA", nickname: null, last4: null },
      cardholder: { firstName: `Ngozi ${((MANY - 1) % CARDS) + 1}`, lastName: "Eze" },
    });
    expect(page.items[0]).not.toHaveProperty("cardBalance");
  });
  expect(rows).toBeLessThan(100);
});

test("failed operations, and those of a type and a time, are found without reading all", async () => {
  const rows = await rowsRead("card_operations", async () => {
    expect(idsOf(await listOperationsOfCards(shop.ctx, { limit: 20, status: "failed" }))).toEqual(
      newest(operations, (n) => n % 100 === 1).slice(0, 20),
    );
    const created_before = new Date(timeOf(5_000));
    expect(idsOf(await listOperationsOfCards(shop.ctx, { limit: 5, type: "freeze", created_before }))).toEqual(
      newest(operations, (n) => n % 50 === 0 && n < 5_000).slice(0, 5),
    );
  });
  expect(rows).toBeLessThan(1_000);
});

test("spend of all cards is listed newest first with its card, and can be filtered by declines and by time", async () => {
  const rows = await rowsRead("card_transactions", async () => {
    const page = await listSpendOfCards(shop.ctx, { limit: 20 });
    expect(idsOf(page)).toEqual(newest(spend, () => true).slice(0, 20));
    expect(page.items[1]?.card.cardholder.firstName).toBe(`Ngozi ${((MANY - 2) % CARDS) + 1}`);
    const created_after = new Date(timeOf(MANY - 300));
    expect(idsOf(await listSpendOfCards(shop.ctx, { limit: 20, type: "DECLINE", created_after }))).toEqual(
      newest(spend, (n) => n % 50 === 0 && n >= MANY - 300),
    );
  });
  expect(rows).toBeLessThan(1_200);
});

test("lists of all cards show nothing of another merchant", async () => {
  const { ctx } = await aMerchant();
  expect((await listOperationsOfCards(ctx, { limit: 20 })).items).toEqual([]);
  expect((await listSpendOfCards(ctx, { limit: 20 })).items).toEqual([]);
  expect((await listCards(ctx, { limit: 20 })).items).toEqual([]);
});

test("cards of a time are listed with the names of their cardholders", async () => {
  const [created_after, created_before] = [new Date(timeOf(1)), new Date(timeOf(3))];
  const { items } = await listCards(shop.ctx, { limit: 20, created_after, created_before });
  expect(items.map(({ id, cardholder }) => `${id} ${cardholder.firstName}`)).toEqual([`${cards[2]} Ngozi 3`, `${cards[1]} Ngozi 2`]);
});
