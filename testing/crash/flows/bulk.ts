import { setTimeout as wait } from "node:timers/promises";
import { toMajorNumber } from "#lib/money.ts";
import type { BulkOrderTerms } from "#services/bulk/contract.ts";
import { type BulkOrder, getBulkOrder } from "#services/bulk/index.ts";
import { systemContext } from "#services/context.ts";
import { clientsOf, type Flow, type MerchantInPlay, type Violation, type Waiting, type World } from "../flow.ts";
import type { Random } from "../random.ts";
import type { Operation, RecordingClient } from "../recording-client.ts";

const BULK = "/api/dashboard/bulk-orders";

/** Endings of recipients' numbers, which choose what the aggregator does. */
const ENDINGS = ["6789", "6789", "6789", "6789", "0000", "1111", "5555"];
/** The first four digits of recipients' numbers. The other flow of purchases has its own. */
const PREFIXES = ["070", "081", "090", "091"].flatMap((start) => Array.from({ length: 10 }, (_, n) => `${start}${n}`));
/** A request that starts an order takes about this long, so about half of the answers are lost with this timeout. */
const SOON_MS = 60;
/** The worker looks at orders every second or two. */
const A_WHILE_MS = 2_500;

/** The state after a member's acknowledged stop, of an order that was certainly started and not started again. */
interface Stopped {
  merchantId: string;
  id: string;
  purchases: number;
}
const stopped = new Map<string, Stopped>();
const resumedAgainstStop: Violation[] = [];
let recipients = 0;

/** No two rows of a campaign have the same recipient, so a row that is bought twice shows. */
function aRecipient(random: Random): string {
  const n = recipients++;
  const prefix = PREFIXES[Math.floor(n / 1_000)];
  if (prefix === undefined) throw new Error("the campaign has no more numbers: add prefixes");
  return `${prefix}${String(n % 1_000).padStart(3, "0")}${random.pick(ENDINGS)}`;
}

/** One member starts an order and may lose the answer, another stops it, and the first request comes again. */
async function act(world: World, merchant: MerchantInPlay, random: Random): Promise<void> {
  const [starter, stopper] = merchant.pages;
  if (!starter || !stopper) return;
  const file = ["phone,network,amount", ...Array.from({ length: 8 }, () => `${aRecipient(random)},mtn,${50 + random.below(200)}`)].join(
    "\n",
  );
  const uploaded = await starter.post(BULK, file);
  if (!uploaded) return;
  const order = { merchantId: merchant.merchantId, id: uploaded.data.id as string };
  for (const verb of ["confirm", "resume", "resume"]) {
    const started = await start(starter, order, verb, random);
    if (!started) return;
    await wait(random.below(A_WHILE_MS));
    if (!(await stop(world, order, { starter, stopper, started }))) return;
    if (random.chance(0.4)) break;
    stopped.delete(order.id);
  }
}

type OrderInPlay = Omit<Stopped, "purchases">;

const read = ({ merchantId, id }: OrderInPlay): Promise<BulkOrder> =>
  getBulkOrder({ ...systemContext("campaign"), merchant: { id: merchantId, mode: "test" } }, id);

async function start(starter: RecordingClient, order: OrderInPlay, verb: string, random: Random): Promise<Operation | undefined> {
  const { status, toBuy } = await read(order);
  if (status !== "draft" && status !== "paused") return undefined;
  const terms: Record<keyof BulkOrderTerms, unknown> = { expected_total: toMajorNumber(toBuy), duplicate_rows: [], skip_rows: [] };
  return starter.attempt(`${BULK}/${order.id}/${verb}`, terms, random.chance(0.7) ? 1 + random.below(SOON_MS) : undefined);
}

/** Returns false where it is unknown whether the order has been started or stopped: it may then run on. */
async function stop(
  { sql }: World,
  order: OrderInPlay,
  { starter, stopper, started }: { starter: RecordingClient; stopper: RecordingClient; started: Operation },
): Promise<boolean> {
  const [isExecuted] = await sql`select from idempotency_keys where key = ${started.key} and executed_at is not null`;
  const answer = await stopper.post(`${BULK}/${order.id}/stop`, undefined);
  if (!isExecuted || answer?.data.status !== "paused") return false;
  const purchases = await purchasesOf(sql, order);
  stopped.set(order.id, { ...order, purchases });
  await starter.repeat(started);
  const { status } = await read(order);
  if (status !== "paused") resumedAgainstStop.push(`order ${order.id} is ${status} after a stop`);
  return true;
}

async function purchasesOf(sql: World["sql"], { merchantId, id }: OrderInPlay): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from purchases p join bulk_rows r on r.merchant_id = p.merchant_id and r.purchase_id = p.id
    where p.merchant_id = ${merchantId} and r.bulk_order_id = ${id}`;
  return row?.count ?? 0;
}

async function waiting({ sql }: World): Promise<Waiting> {
  const [counts = {}] = await sql<Waiting[]>`select count(*) as "bulk orders that run" from bulk_orders where status = 'running'`;
  return counts;
}

async function check({ sql, merchants }: World): Promise<Violation[]> {
  const violations: Violation[] = [...resumedAgainstStop];
  for (const order of stopped.values()) {
    const [now] = await sql<
      { status: string }[]
    >`select status from bulk_orders where merchant_id = ${order.merchantId} and id = ${order.id}`;
    const purchases = await purchasesOf(sql, order);
    if (now?.status !== "paused") violations.push(`order ${order.id} was stopped and is ${now?.status}`);
    if (purchases !== order.purchases)
      violations.push(`order ${order.id} had ${order.purchases} purchases when it was stopped, and has ${purchases}`);
  }
  if (stopped.size === 0) violations.push("no bulk order was stopped");
  const twice = await sql<{ id: string; row: number; times: number }[]>`
    select r.bulk_order_id as id, r.row, count(*)::int as times from bulk_rows r
    join purchases p on p.merchant_id = r.merchant_id and p.recipient = r.recipient group by r.merchant_id, r.bulk_order_id, r.row having count(*) > 1`;
  for (const { id, row, times } of twice) violations.push(`row ${row} of order ${id} was bought ${times} times`);
  return [...violations, ...(await executedAndRefused(sql, merchants))];
}

/** A request that has been executed is answered as that, in whatever state its order is when the request comes again. */
async function executedAndRefused(sql: World["sql"], merchants: MerchantInPlay[]): Promise<Violation[]> {
  const operations = merchants.flatMap(clientsOf).flatMap((client) => client.operations);
  const refused = operations.filter(({ path, refused: code }) => path.startsWith(BULK) && code !== undefined);
  const executed = await sql<{ key: string }[]>`
    select key from idempotency_keys where executed_at is not null and key = any(${refused.map(({ key }) => key)})`;
  return executed.map(({ key }) => `key ${key} was executed and refused`);
}

export const bulk: Flow = {
  name: "bulk",
  points: [
    { role: "web", kind: "commit", label: "bulk_orders" },
    { role: "worker", kind: "commit", label: "bulk_orders" },
    { role: "worker", kind: "commit", label: "claim_purchases" },
    { role: "worker", kind: "commit", label: "bulk_rows" },
  ],
  act,
  passTime: async () => {},
  waiting,
  check,
};
