import { sql as pool } from "#db/client.ts";
import { decidedByTwo } from "#services/approved.fixture.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { MIN_BETWEEN_READS_MS } from "#services/money-out.ts";
import { settlePayoutByOperator } from "#services/payouts/index.ts";
import { aBankAccount } from "#services/payouts/payouts.fixture.ts";
import type { Flow, MerchantInPlay, Violation, Waiting, World } from "../flow.ts";
import { Random } from "../random.ts";

const PAYOUTS = "/api/v1/payouts";
const PAGE = "/api/dashboard/payouts";
const REQUESTS = "/api/dashboard/payout-requests";

/** Endings of accounts, which choose what the bank does. */
const ENDINGS = ["4417", "4418", "0000", "1111", "2222", "5555"];

/** The ids of bank accounts by merchant, in the order of `ENDINGS`. */
const accounts = new Map<string, string[]>();

/** Gives a merchant bank accounts, and its key the permission to pay out. */
export async function prepare(shop: TestMerchant): Promise<void> {
  const ids: string[] = [];
  for (const ending of ENDINGS) ids.push(await aBankAccount(shop, ending));
  accounts.set(shop.merchant.id, ids);
  await pool()`update api_keys set permissions = array_append(permissions, 'payouts:write') where public_key = ${shop.key.publicKey}`;
}

async function act(world: World, merchant: MerchantInPlay, random: Random): Promise<void> {
  const { client, merchantId, pages } = merchant;
  const [author, second] = pages;
  const order = { amount: 100 + random.below(2_000), bank_account_id: random.pick(accounts.get(merchantId) ?? []) };
  if (random.chance(0.03)) await forgetAPayout(world);
  if (random.chance(0.6) || !author || !second) return void (await client.post(PAYOUTS, order));
  if (random.chance(0.5)) return void (await author.post(PAGE, { ...order, expected_total: order.amount }));
  const request = await author.post(REQUESTS, order);
  if (request) await second.post(`${REQUESTS}/${request.data.id}/approve`, {});
}

/** Makes a bank never decide a payout that it has taken. */
const forgetAPayout = ({ sql }: World) => sql`
  update sandbox.payouts o set due_at = null from (
    select house, reference from sandbox.payouts where state = 'queued' and due_at is not null and reference not like 'rfd%' order by serial desc limit 1
  ) last where o.house = last.house and o.reference = last.reference`;

/** Simulates operators who settle undecided payouts. The bank says the same afterwards. */
async function settleUndecided(sql: World["sql"], random: Random): Promise<void> {
  const forgotten = await sql<{ id: string; reference: string }[]>`
    select p.id, o.reference from payouts p join sandbox.payouts o on o.reference = lower(p.id)
    where p.status = 'processing' and o.state = 'queued' and o.due_at is null`;
  for (const { id, reference } of forgotten) {
    const outcome = random.chance(0.5) ? "paid" : "failed";
    await decidedByTwo((by) => settlePayoutByOperator(by, id, { was: "processing", outcome, evidence: "Ticket", reason: "They said so." }));
    await sql`update sandbox.payouts set state = ${outcome}, next_state = null where reference = ${reference}`;
  }
}

const operators = new Random(11);
let isFinalReadPlanned = false;

/** Makes processing payouts older and due for a read, and final ones due for one more. Leaves out a payout that is being read. */
async function passTime({ sql }: World): Promise<void> {
  const isBeingRead = sql`coalesce(leased_at > now() - ${MIN_BETWEEN_READS_MS} * interval '1 ms', false)`;
  await sql`update payouts set created_at = created_at - interval '1 minute' where status = 'processing'`;
  await sql`update payouts set next_attempt_at = now() - interval '1 second' where status = 'processing' and not ${isBeingRead}`;
  await sql`update payouts set next_attempt_at = now() - interval '1 second' where status <> 'processing' and ${isToBeRead(sql)} and not ${isBeingRead}`;
  await settleUndecided(sql, operators);
  await sql`update sandbox.payouts set due_at = now() where due_at is not null`;
  const [due] = await sql<{ payouts: bigint }[]>`select count(*) as payouts from sandbox.payouts where due_at is not null`;
  if (isFinalReadPlanned || due?.payouts !== 0n) return;
  isFinalReadPlanned = true;
  // The bank that sends no notices has sent some of them back.
  await sql`update payouts set next_attempt_at = now() - interval '1 second' where status <> 'processing'`;
}

async function waiting({ sql }: World): Promise<Waiting> {
  const [counts = {}] = await sql<Waiting[]>`
    select (select count(*) from payouts where status = 'processing') as "payouts",
      (select count(*) from payouts where status <> 'processing' and ${isToBeRead(sql)}) as "final payouts to read again",
      (select count(*) from sandbox.payouts where due_at is not null) as "payouts that their bank is about to decide"`;
  return counts;
}

/** Matches a payout that is read soon. Leaves out a failed payout that its bank still does not know. */
const isToBeRead = (sql: World["sql"]) => sql`next_attempt_at <= now() + interval '1 hour' and not (status = 'failed'
  and not exists (select from sandbox.payouts o where o.reference = lower(payouts.id)))`;

async function check(world: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const merchant of world.merchants) violations.push(...(await checkAnswers(world, merchant)));
  return [...violations, ...(await checkBanks(world.sql)), ...(await checkEvents(world.sql)), ...(await checkRequests(world.sql))];
}

interface Row {
  id: string;
  status: string;
  amount: bigint;
}

/** The statuses that may follow an acknowledged status. */
const MAY_BECOME: Record<string, string[]> = {
  processing: ["paid", "failed", "reversed"],
  paid: ["paid", "reversed"],
  // The bank did not know the payout at first.
  failed: ["failed", "paid", "reversed"],
  reversed: ["reversed"],
};

const isPayout = (path: string) => path === PAYOUTS || path === PAGE || path.endsWith("/approve");

/** Compares every answer that a merchant's server or page got with the database. */
async function checkAnswers({ sql }: World, { client, pages, merchantId }: MerchantInPlay): Promise<Violation[]> {
  const violations: Violation[] = [];
  const rows = await sql<Row[]>`select id, status, amount from payouts where merchant_id = ${merchantId}`;
  const made = new Map(rows.map((row) => [row.id, row]));
  const acknowledged = new Set<string>();
  for (const { path, key, acknowledged: answers } of [client, ...pages].flatMap(({ operations }) => operations)) {
    if (!isPayout(path)) continue;
    const ids = new Set<string>(answers.map(({ body }) => body.data.id));
    if (ids.size > 1) violations.push(`key ${key} of ${path} paid out ${ids.size} times`);
    for (const { body } of answers) {
      const { id, status, amount } = body.data;
      acknowledged.add(id);
      const payout = made.get(id);
      if (!payout) violations.push(`payout ${id} was acknowledged and is not there`);
      else if (!MAY_BECOME[status]?.includes(payout.status)) violations.push(`payout ${id} was told ${status} and is ${payout.status}`);
      else if (Number(payout.amount) !== amount * 100) violations.push(`payout ${id} was told as ${amount} and is ${payout.amount} kobo`);
    }
  }
  for (const id of made.keys()) if (!acknowledged.has(id)) violations.push(`payout ${id} was made for no acknowledged key`);
  return violations;
}

/** Compares the banks' payouts with ours. */
async function checkBanks(sql: World["sql"]): Promise<Violation[]> {
  const different = await sql<{ id: string; status: string; state: string | null; amount: bigint; sent: bigint | null }[]>`
    select p.id, p.status, o.state, p.amount, o.amount as sent from payouts p left join sandbox.payouts o on o.reference = lower(p.id)
    where p.provider like 'sandbox%' and ((p.status = 'paid') <> (o.state is not distinct from 'paid') or o.amount <> p.amount or o.account_number <> p.account_number)`;
  const unasked = await sql<{ reference: string }[]>`
    select reference from sandbox.payouts o where reference not like 'rfd%' and not exists (select from payouts p where lower(p.id) = o.reference)`;
  return [
    ...different.map(
      ({ id, status, state, amount, sent }) => `payout ${id} of ${amount} is ${status} with us, and ${state} (${sent}) at its bank`,
    ),
    ...unasked.map(({ reference }) => `a bank took ${reference}, of which we know nothing`),
  ];
}

/** Checks that each change of a payout has one event. A payout has at most three: it fails, is paid late, and comes back. */
async function checkEvents(sql: World["sql"]): Promise<Violation[]> {
  const wrong = await sql<{ id: string; status: string; told: string[] }[]>`
    select p.id, p.status, array_remove(array_agg(e.type order by e.sequence), null) as told from payouts p
    left join events e on e.merchant_id = p.merchant_id and e.type like 'payout.%' and e.data->>'id' = p.id
    group by p.merchant_id, p.id, p.status, p.is_late
    having array_remove(array_agg(e.type order by e.sequence), null) is distinct from case
      when p.status = 'failed' then array['payout.failed']
      else case when p.is_late then array['payout.failed'] else '{}' end || array['payout.paid']
        || case when p.status = 'reversed' then array['payout.reversed'] else '{}' end end`;
  return wrong.map(({ id, status, told }) => `payout ${id} is ${status} and was told as ${told.join(", ")}`);
}

/** Checks that each approved request has its one payout. */
async function checkRequests(sql: World["sql"]): Promise<Violation[]> {
  const wrong = await sql<{ id: string; payouts: bigint }[]>`
    select r.id, count(p.id) as payouts from payout_requests r left join payouts p on p.merchant_id = r.merchant_id and p.request_id = r.id
    group by r.merchant_id, r.id, r.decision having count(p.id) <> case when r.decision = 'approved' then 1 else 0 end`;
  return wrong.map(({ id, payouts }) => `request ${id} has ${payouts} payouts`);
}

export const payouts: Flow = {
  name: "payouts",
  points: [
    { role: "web", kind: "commit", label: "payouts" },
    { role: "web", kind: "commit", label: "payout_requests" },
    { role: "web", kind: "call", label: "pay" },
    { role: "web", kind: "call", label: "send" },
    { role: "worker", kind: "commit", label: "payouts" },
    { role: "worker", kind: "call", label: "payout" },
    { role: "worker", kind: "call", label: "sent" },
  ],
  act,
  passTime,
  waiting,
  check,
};
