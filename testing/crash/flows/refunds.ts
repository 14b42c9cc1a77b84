import { sql as pool } from "#db/client.ts";
import { accountToken } from "#services/checkout/refunds/account-link.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { MIN_BETWEEN_READS_MS } from "#services/money-out.ts";
import { until } from "../../until.ts";
import type { Flow, MerchantInPlay, Violation, Waiting, World } from "../flow.ts";
import type { Random } from "../random.ts";
import { accountOf, pay } from "./checkout.ts";

const REFUNDS = "/api/v1/checkout/refunds";
const PAGE = "/api/dashboard/refunds";

/** Endings of payers' accounts, which choose what the bank does. */
const ENDINGS = ["4417", "4418", "0000", "1111", "2222", "5555"];

/** Gives a merchant's key the permission to refund. */
export async function prepare(shop: TestMerchant): Promise<void> {
  await pool()`update api_keys set permissions = array_append(permissions, 'refunds:write') where public_key = ${shop.key.publicKey}`;
}

let customers = 0;

async function act(world: World, merchant: MerchantInPlay, random: Random): Promise<void> {
  const { client, pages, merchantId } = merchant;
  const naira = 500 + random.below(2_000);
  const email = `refund-${++customers}@customers.example`;
  const link = await client.post("/api/v1/checkout/create", { amount: naira, customer_email: email });
  if (!link) return;
  const account = `0${String(random.below(1e5)).padStart(5, "0")}${random.pick(ENDINGS)}`;
  await pay(world, { account: await accountOf(world, link.reference), kobo: naira * 100, from: account }, random);
  if (!(await isPaid(world, link.reference))) return;
  // Two parts at once are as much as came, or more.
  const parts = [100 + random.below(naira), 100 + random.below(naira)].map((amount) => ({ reference: link.reference, amount }));
  const [author] = pages;
  const made = await Promise.all(
    parts.map((body, n) => (n === 1 && author && random.chance(0.5) ? author.post(PAGE, body) : client.post(REFUNDS, body))),
  );
  for (const refund of made) {
    if (refund?.status === "needs_account") await nameAccount(world, { merchantId, author, id: refund.id, account }, random);
  }
}

/** A notice may be lost with a killed process, and comes again later. */
const isPaid = ({ sql }: World, reference: string) =>
  until(
    async () => (await sql`select 1 from payment_links where reference = ${reference} and status = 'success'`).length === 1,
    4_000,
  ).catch(() => false);

interface Naming {
  merchantId: string;
  author: MerchantInPlay["pages"][number] | undefined;
  id: string;
  account: string;
}

const TRIES = 4;

/** A customer names the account by the forms of the mailed link, and an owner agrees, or stops it: that bank tells no sender. */
async function nameAccount(world: World, { merchantId, author, id, account }: Naming, random: Random): Promise<void> {
  if (random.chance(0.2)) return;
  const token = accountToken({ merchantId, id });
  let sealed: string | null = null;
  for (let i = 0; i < TRIES && sealed === null; i++) {
    const location = await world.sendForm("/refund-account/name", { token, bank_code: "00A", account_number: account });
    sealed = location?.searchParams.get("account") ?? null;
  }
  for (let i = 0; i < TRIES && sealed !== null; i++) {
    if (await world.sendForm("/refund-account/give", { token, account: sealed })) break;
  }
  if (!author || random.chance(0.1)) return;
  await author.post(`${PAGE}/${id}/${random.chance(0.8) ? "confirm" : "cancel"}`, {});
}

let isFinalReadPlanned = false;

/** Makes refunds older and due for a read, ends those that wait for an account, and final ones are read once more. */
async function passTime({ sql }: World): Promise<void> {
  const isBeingRead = sql`coalesce(leased_at > now() - ${MIN_BETWEEN_READS_MS} * interval '1 ms', false)`;
  await sql`update refunds set expires_at = now() where status = 'needs_account' and created_at < now() - interval '20 seconds'`;
  await sql`update refunds set ordered_at = ordered_at - interval '1 minute' where status = 'processing'`;
  await sql`update refunds set next_attempt_at = now() - interval '1 second' where status = 'processing' and not ${isBeingRead}`;
  await sql`update refunds set next_attempt_at = now() - interval '1 second' where status <> 'processing' and ${isToBeRead(sql)} and not ${isBeingRead}`;
  await sql`update sandbox.refunds set due_at = now() where due_at is not null`;
  const [due] = await sql<{ open: bigint }[]>`select count(*) as open from sandbox.refunds where due_at is not null`;
  if (isFinalReadPlanned || due?.open !== 0n) return;
  isFinalReadPlanned = true;
  // The bank that sends no notices has sent some of them back.
  await sql`update refunds set next_attempt_at = now() - interval '1 second' where status <> 'processing' and ordered_at is not null`;
}

async function waiting({ sql }: World): Promise<Waiting> {
  const [counts = {}] = await sql<Waiting[]>`
    select (select count(*) from refunds where status in ('needs_account', 'processing')) as "refunds",
      (select count(*) from refunds where status not in ('needs_account', 'processing') and ${isToBeRead(sql)}) as "final refunds to read again",
      (select count(*) from sandbox.refunds where due_at is not null) as "refunds that their bank is about to decide"`;
  return counts;
}

/** The bank's side of a refund, whichever bank it is at. */
const atBank = (sql: World["sql"]) => sql`(
  select house, reference, amount, state from sandbox.payouts where reference like 'rfd%'
  union all select 'sandbox', reference, amount, state from sandbox.refunds)`;

/** Matches a refund that is read soon. Leaves out a failed refund that its bank still does not know. */
const isToBeRead = (sql: World["sql"]) => sql`next_attempt_at <= now() + interval '1 hour' and not (status = 'failed'
  and not exists (select from ${atBank(sql)} o where o.reference = lower(refunds.id)))`;

async function check(world: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const merchant of world.merchants) violations.push(...(await checkAnswers(world, merchant)));
  return [...violations, ...(await checkBanks(world.sql)), ...(await checkEvents(world.sql))];
}

/** The statuses that may follow an acknowledged status. */
const MAY_BECOME: Record<string, string[]> = {
  needs_account: ["paid", "failed", "reversed"],
  processing: ["paid", "failed", "reversed"],
  paid: ["paid", "reversed"],
  // The bank did not know the refund at first.
  failed: ["failed", "paid", "reversed"],
  reversed: ["reversed"],
};

/** Compares every answer that a merchant's server or page got with the database. */
async function checkAnswers({ sql }: World, { client, pages, merchantId }: MerchantInPlay): Promise<Violation[]> {
  const violations: Violation[] = [];
  const rows = await sql<{ id: string; status: string; amount: bigint }[]>`
    select id, status, amount from refunds where merchant_id = ${merchantId}`;
  const made = new Map(rows.map((row) => [row.id, row]));
  const acknowledged = new Set<string>();
  for (const { path, key, acknowledged: answers } of [client, ...pages].flatMap(({ operations }) => operations)) {
    if (!path.includes("/refunds")) continue;
    const ids = new Set<string>(answers.map(({ body }) => body.id));
    if (ids.size > 1) violations.push(`key ${key} of ${path} made ${ids.size} refunds`);
    for (const { body } of answers) {
      const { id, status, amount } = body;
      acknowledged.add(id);
      const refund = made.get(id);
      if (!refund) violations.push(`refund ${id} was acknowledged and is not there`);
      else if (!MAY_BECOME[status]?.includes(refund.status)) violations.push(`refund ${id} was told ${status} and is ${refund.status}`);
      else if (Number(refund.amount) !== Math.round(amount * 100))
        violations.push(`refund ${id} was told as ${amount} and is ${refund.amount} kobo`);
    }
  }
  for (const id of made.keys()) if (!acknowledged.has(id)) violations.push(`refund ${id} was made for no acknowledged key`);
  return violations;
}

/** Compares the banks' refunds with ours. */
async function checkBanks(sql: World["sql"]): Promise<Violation[]> {
  const different = await sql<{ id: string; status: string; state: string | null; times: bigint }[]>`
    select f.id, f.status, max(o.state) as state, count(o.reference) as times from refunds f left join ${atBank(sql)} o on o.reference = lower(f.id)
    where f.provider like 'sandbox%'
    group by f.merchant_id, f.id, f.status, f.amount
    having (f.status = 'paid') <> (max(o.state) is not distinct from 'paid') or count(o.reference) > 1 or max(o.amount) <> f.amount`;
  const unasked = await sql<{ reference: string }[]>`
    select reference from ${atBank(sql)} o where not exists (select from refunds f where lower(f.id) = o.reference)`;
  const [made] = await sql<{ by_bank: bigint; by_customer: bigint }[]>`
    select count(*) filter (where route = 'bank') as by_bank, count(*) filter (where route = 'payout' and ordered_at is not null) as by_customer
    from refunds where status = 'paid'`;
  return [
    ...different.map(({ id, status, state, times }) => `refund ${id} is ${status} with us, and ${state} at its bank, ${times} times`),
    ...unasked.map(({ reference }) => `a bank took ${reference}, of which we know nothing`),
    ...(made && made.by_bank > 0n && made.by_customer > 0n ? [] : ["no refund was paid by a bank, or none to a named account"]),
  ];
}

/** Checks that each change of a refund has one event. A refund has at most three: it fails, is paid late, and comes back. */
async function checkEvents(sql: World["sql"]): Promise<Violation[]> {
  const wrong = await sql<{ id: string; status: string; told: string[] }[]>`
    select f.id, f.status, array_remove(array_agg(e.type order by e.sequence), null) as told from refunds f
    left join events e on e.merchant_id = f.merchant_id and e.type like 'checkout.refund%' and e.data->>'id' = f.id
    group by f.merchant_id, f.id, f.status, f.is_late
    having array_remove(array_agg(e.type order by e.sequence), null) is distinct from case
      when f.status = 'failed' then array['checkout.refund_failed']
      else case when f.is_late then array['checkout.refund_failed'] else '{}' end || array['checkout.refund_paid']
        || case when f.status = 'reversed' then array['checkout.refund_reversed'] else '{}' end end`;
  return wrong.map(({ id, status, told }) => `refund ${id} is ${status} and was told as ${told.join(", ")}`);
}

export const refunds: Flow = {
  name: "refunds",
  points: [
    { role: "web", kind: "commit", label: "refunds" },
    { role: "web", kind: "call", label: "refund" },
    { role: "worker", kind: "commit", label: "refunds" },
    { role: "worker", kind: "call", label: "refund-state" },
  ],
  act,
  passTime,
  waiting,
  check,
};
