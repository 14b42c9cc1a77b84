import { decidedByTwo } from "#services/approved.fixture.ts";
import { settlePurchaseByOperator } from "#services/vtu/index.ts";
import { MIN_BETWEEN_READS_MS } from "#services/vtu/schedule.ts";
import type { Flow, MerchantInPlay, Violation, Waiting, World } from "../flow.ts";
import { Random } from "../random.ts";

const VTU = "/api/v1/vtu";

/** Endings of recipients' numbers, which choose what the aggregator does. Most deliver; the slow ones hang for seconds. */
const ENDINGS = ["6789", "6789", "6789", "6789", "6789", "6789", "0000", "0000", "1111", "1111", "2222", "5555", "5555"];
const SLOW_ENDINGS = ["3333", "4444"];
const SLOW_SHARE = 0.02;
const QUANTITIES = [1, 2, 3, 11, 12, 13, 17];

interface Lists {
  data: number[];
  cable: number[];
  disco: number[];
  exam: number[];
}

/** Product ids that each merchant's server has read, once the worker has read the lists. */
const lists = new Map<string, Lists>();

async function listsOf({ client, merchantId }: MerchantInPlay): Promise<Lists | undefined> {
  const known = lists.get(merchantId);
  if (known) return known;
  const ids = async (path: string): Promise<number[]> =>
    ((await client.get(`${VTU}/${path}`))?.data ?? []).map(({ id }: { id: number }) => id);
  const read = {
    data: await ids("data-plans"),
    cable: await ids("cable-plans"),
    disco: await ids("discos"),
    exam: await ids("exam-types"),
  };
  if (Object.values(read).some((list) => list.length === 0)) return undefined;
  lists.set(merchantId, read);
  return read;
}

async function act(world: World, merchant: MerchantInPlay, random: Random): Promise<void> {
  const products = await listsOf(merchant);
  if (!products) return;
  const digits = (count: number) => String(random.below(10 ** count)).padStart(count, "0");
  const ending = random.pick(random.chance(SLOW_SHARE) ? SLOW_ENDINGS : ENDINGS);
  const { client, merchantId } = merchant;
  if (random.chance(0.02)) await changeTheMarket(world, merchantId, random);
  if (random.chance(0.03)) await forgetAnOrder(world);
  const phone = `0803${digits(3)}${ending}`;
  switch (random.below(5)) {
    case 0:
      return void (await client.post(`${VTU}/airtime`, { network: "mtn", phone, amount: 50 + random.below(500) }));
    case 1:
      return void (await client.post(`${VTU}/data`, { phone, data_plan_id: random.pick(products.data) }));
    case 2: {
      const body = { cable_plan_id: random.pick(products.cable), smart_card_number: `70${digits(4)}${ending}` };
      return void (await client.post(`${VTU}/cable`, body));
    }
    case 3: {
      const meter = { disco_id: random.pick(products.disco), meter_number: `45${digits(5)}${ending}`, meter_type: "Prepaid" };
      return void (await client.post(`${VTU}/electricity`, { ...meter, amount: 500 + random.below(5_000) }));
    }
    default:
      return void (await client.post(`${VTU}/exam`, { exam_type_id: random.pick(products.exam), quantity: random.pick(QUANTITIES) }));
  }
}

/** Changes a price at an aggregator, or binds the merchant to another one: orders at the old price, and of its products, are refused then. */
async function changeTheMarket({ sql }: World, merchantId: string, random: Random): Promise<void> {
  if (random.chance(0.3)) {
    lists.delete(merchantId);
    return void (await sql`
      update merchant_providers set provider = case provider when 'sandbox' then 'sandbox-vtpass' else 'sandbox' end
      where merchant_id = ${merchantId} and kind = 'aggregator'`);
  }
  await sql`
    insert into sandbox.vtu_changes (house, code, price, is_withdrawn)
    select provider, code, selling_price + ${random.below(3) * 100 - 100}, false from products
    where selling_price > 10000 and withdrawn_at is null order by random() limit 1
    on conflict (house, code) do update set price = excluded.price`;
}

/** Makes an aggregator never decide an order that it has taken. */
const forgetAnOrder = ({ sql }: World) => sql`
  update sandbox.vtu_orders o set due_at = null from (
    select house, reference from sandbox.vtu_orders where state = 'queued' and due_at is not null order by serial desc limit 1
  ) last where o.house = last.house and o.reference = last.reference`;

/** Simulates operators who settle undecided purchases. The aggregator then reports the same outcome or the opposite. */
async function settleUndecided(sql: World["sql"], random: Random): Promise<void> {
  const forgotten = await sql<{ id: string; house: string; reference: string }[]>`
    select p.id, o.house, o.reference from purchases p join sandbox.vtu_orders o on right(o.reference, 26) = right(p.id, 26)
    where p.status = 'processing' and o.state = 'queued' and o.due_at is null and p.service in ('airtime', 'data', 'cable')`;
  for (const { id, house, reference } of forgotten) {
    const outcome = random.chance(0.5) ? "delivered" : "failed";
    await decidedByTwo((by) => settlePurchaseByOperator(by, id, { outcome, evidence: "Ticket", reason: "They said so." }));
    const state = random.chance(0.5) ? "delivered" : outcome === "failed" ? "failed" : "reversed";
    await sql`update sandbox.vtu_orders set state = ${state}, delivered = case ${state} when 'delivered' then 1 else 0 end where house = ${house} and reference = ${reference}`;
  }
  // For the other services, which need tokens or pins, the aggregator does decide.
  await sql`update sandbox.vtu_orders set due_at = now() where state = 'queued' and due_at is null`;
}

const operators = new Random(7);
let isFinalReadPlanned = false;

/**
 * Makes processing purchases due for a read, and final purchases due for one more. Leaves out a purchase that is being read: a newer lease
 * would supersede the read, and on a slow machine every read. At `sandbox-vtpass` the time is part of a purchase's reference, so these
 * purchases are not aged. The minute before a lost purchase is read again passes by itself.
 */
async function passTime({ sql }: World): Promise<void> {
  const isBeingRead = sql`coalesce(leased_at > now() - ${MIN_BETWEEN_READS_MS} * interval '1 ms', false)`;
  await sql`update purchases set created_at = created_at - interval '1 minute' where status = 'processing' and provider = 'sandbox'`;
  await sql`update purchases set next_attempt_at = now() - interval '1 second' where status = 'processing' and not ${isBeingRead}`;
  // The answer was wrong or lost, so the outcome is read again.
  await sql`update purchases set next_attempt_at = now() - interval '1 second' where status <> 'processing' and attempts > 0 and ${isToBeRead(sql)} and not ${isBeingRead}`;
  await settleUndecided(sql, operators);
  await sql`update sandbox.vtu_orders set due_at = now() where due_at is not null`;
  if (isFinalReadPlanned) return;
  isFinalReadPlanned = true;
  await sql`update purchases set next_attempt_at = now() - interval '1 second' where status <> 'processing'`;
}

async function waiting({ sql }: World): Promise<Waiting> {
  const [counts = {}] = await sql<Waiting[]>`
    select (select count(*) from purchases where status = 'processing') as "purchases",
      (select count(*) from purchases where status <> 'processing' and ${isToBeRead(sql)}) as "final purchases to read again",
      (select count(*) from sandbox.vtu_orders where due_at is not null) as "orders that their aggregator is about to decide"`;
  return counts;
}

/**
 * Matches a purchase that is read soon. Leaves out a failed purchase that its aggregator still does not know. One that it came to know later, as on
 * a machine that is so slow that an order arrives after its caller has given up, is read.
 */
const isToBeRead = (sql: World["sql"]) => sql`next_attempt_at <= now() + interval '1 hour' and not (status = 'failed' and attempts > 0
  and not exists (select from sandbox.vtu_orders o where right(o.reference, 26) = right(purchases.id, 26)))`;

async function check(world: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const merchant of world.merchants) violations.push(...(await checkAnswers(world, merchant)));
  return [...violations, ...(await checkAggregators(world.sql)), ...(await checkEvents(world.sql))];
}

interface PurchaseRow {
  id: string;
  status: string;
  amount: bigint;
  charged: bigint;
}

/** Compares every answer that a merchant got with the database. */
async function checkAnswers({ sql }: World, { client, merchantId }: MerchantInPlay): Promise<Violation[]> {
  const violations: Violation[] = [];
  const rows = await sql<PurchaseRow[]>`select id, status, amount, charged from purchases where merchant_id = ${merchantId}`;
  const made = new Map(rows.map((row) => [row.id, row]));
  const acknowledged = new Set<string>();
  for (const { path, key, acknowledged: answers } of client.operations.filter((each) => each.path.startsWith(VTU))) {
    const references = new Set<string>(answers.map(({ body }) => body.data.reference));
    if (references.size > 1) violations.push(`key ${key} of ${path} bought ${references.size} times`);
    for (const { body } of answers) {
      const { reference, status, amount } = body.data;
      acknowledged.add(reference);
      const purchase = made.get(reference);
      if (!purchase) violations.push(`purchase ${reference} was acknowledged and is not there`);
      else violations.push(...compareWithAnswer(purchase, status, amount));
    }
  }
  // Rows of bulk orders were bought for no request.
  const ofRows = await sql<
    { id: string }[]
  >`select purchase_id as id from bulk_rows where merchant_id = ${merchantId} and purchase_id is not null`;
  for (const { id } of ofRows) acknowledged.add(id);
  for (const id of made.keys()) if (!acknowledged.has(id)) violations.push(`purchase ${id} was made for no acknowledged key`);
  return violations;
}

/** The statuses that may follow an acknowledged status. */
const MAY_BECOME: Record<string, string[]> = {
  processing: ["success", "failed", "reversed"],
  success: ["success", "reversed"],
  // The aggregator did not know the purchase at first and delivered it later.
  failed: ["failed", "success", "reversed"],
  reversed: ["reversed"],
};

function compareWithAnswer({ id, status, amount }: PurchaseRow, saidStatus: string, saidAmount: number): Violation[] {
  const violations: Violation[] = [];
  if (!MAY_BECOME[saidStatus]?.includes(status)) violations.push(`purchase ${id} was told ${saidStatus} and is ${status}`);
  if (Number(amount) !== Math.round(saidAmount * 100))
    violations.push(`purchase ${id} was told to cost ${saidAmount} and costs ${amount} kobo`);
  return violations;
}

/** Compares the aggregators' orders with our purchases. Their references contain 26 characters of ours. */
async function checkAggregators(sql: World["sql"]): Promise<Violation[]> {
  const twice = await sql<{ id: string; times: bigint }[]>`
    select right(reference, 26) as id, count(*) as times from sandbox.vtu_orders group by 1 having count(*) > 1`;
  const different = await sql<{ id: string; status: string; charged: bigint; state: string | null; delivered: number | null }[]>`
    select p.id, p.status, p.charged, o.state, o.delivered from purchases p left join sandbox.vtu_orders o on right(o.reference, 26) = right(p.id, 26)
    where p.charged <> case when o.state = 'delivered' then p.unit_price * case p.service when 'exam' then o.delivered else 1 end else 0 end
      or (p.status = 'reversed' and o.state is distinct from 'reversed')`;
  const unasked = await sql<{ reference: string }[]>`
    select reference from sandbox.vtu_orders o where not exists (select from purchases p where right(p.id, 26) = right(o.reference, 26))`;
  return [
    ...twice.map(({ id, times }) => `an aggregator was asked ${times} times for ${id}`),
    ...different.map(
      ({ id, status, charged, state }) => `purchase ${id} is ${status} with us, charged ${charged}, and ${state} at its aggregator`,
    ),
    ...unasked.map(({ reference }) => `an aggregator took ${reference}, of which we know nothing`),
  ];
}

/** Checks that the outcome of a purchase and each correction of it has one event. */
async function checkEvents(sql: World["sql"]): Promise<Violation[]> {
  const wrong = await sql<{ id: string; status: string; told: string[] }[]>`
    select p.id, p.status, array_remove(array_agg(e.type order by e.sequence), null) as told from purchases p
    left join events e on e.merchant_id = p.merchant_id and e.type like 'vtu.%' and e.data->>'reference' = p.id
    group by p.merchant_id, p.id, p.status, p.corrections
    having count(e.id) <> 1 + p.corrections
      or (array_agg(e.type order by e.sequence desc))[1] is distinct from 'vtu.' || p.status`;
  return wrong.map(({ id, status, told }) => `purchase ${id} is ${status} and was told as ${told.join(", ")}`);
}

export const vtu: Flow = {
  name: "vtu",
  points: [
    { role: "web", kind: "commit", label: "claim_purchases" },
    { role: "web", kind: "commit", label: "settle_purchases" },
    { role: "web", kind: "commit", label: "purchases" },
    { role: "web", kind: "call", label: "buy" },
    { role: "web", kind: "call", label: "pay" },
    { role: "web", kind: "call", label: "vtu-notices" },
    { role: "web", kind: "call", label: "order" },
    { role: "web", kind: "call", label: "requery" },
    { role: "worker", kind: "commit", label: "purchases" },
    { role: "worker", kind: "call", label: "order" },
    { role: "worker", kind: "call", label: "requery" },
  ],
  act,
  passTime,
  waiting,
  check,
};
