import { randomBytes } from "node:crypto";
import type { Flow, MerchantInPlay, Violation, Waiting, World } from "../flow.ts";
import type { Random } from "../random.ts";
import type { Operation } from "../recording-client.ts";

const KOBO_PER_NAIRA = 100;
/** The statuses that may follow a status. Final statuses stay, except that a payment made in time turns `expired` into `success`. */
const FORWARD: Record<string, string[]> = {
  pending: ["pending", "success", "expired"],
  expired: ["expired", "success"],
  success: ["success"],
};

interface SeenLink {
  merchant: MerchantInPlay;
  reference: string;
  amount: number;
  statuses: string[];
}

const seen: SeenLink[] = [];
/** Sessions that the bank has acknowledged. */
const sessions = new Set<string>();

async function act(world: World, merchant: MerchantInPlay, random: Random): Promise<void> {
  const amount = 100 + random.below(1_000_000) / 100;
  const link = await merchant.client.post("/api/v1/checkout/create", { amount, description: `order ${random.below(1e9)}` });
  if (!link) return;
  const known: SeenLink = { merchant, reference: link.reference, amount, statuses: [link.status] };
  seen.push(known);
  await readStatus(known);
  const account = await accountOf(world, link.reference);
  const draw = random.next();
  if (draw < 0.2) {
    const inTime = new Date();
    await expire(known);
    if (random.chance(0.5)) await replace(world, known, { account, inTime, depth: 0 }, random);
  }
  const paid = Math.round(amount * KOBO_PER_NAIRA) + (draw > 0.85 ? 1 : 0);
  await pay(world, { account, kobo: paid }, random);
  if (draw > 0.7 && draw < 0.8) await pay(world, { account, kobo: paid }, random);
  if (draw > 0.85) await keepWrongly(world, account, random);
  if (random.chance(0.05)) await pay(world, { account: `99${String(random.below(1e8)).padStart(8, "0")}`, kobo: paid }, random);
  if (random.chance(0.3)) await repeat(merchant, random);
  await readStatus(known);
}

async function readStatus(link: SeenLink): Promise<void> {
  const answer = await link.merchant.client.get(`/api/v1/checkout/status?reference=${link.reference}`);
  if (answer) link.statuses.push(answer.status);
}

/** Returns the account number of a link, as the payer's page shows it. */
export async function accountOf({ sql }: World, reference: string): Promise<string> {
  const [account] = await sql<{ account_number: string }[]>`select account_number from payment_links where reference = ${reference}`;
  if (!account) throw new Error(`link ${reference} was acknowledged, and is not there`);
  return account.account_number;
}

interface Expired {
  account: string;
  /** A time at which the bank may have taken money for the expired link. */
  inTime: Date;
  depth: number;
}

const MAX_DEPTH = 3;

/**
 * Replaces an expired link, up to three times over, while payers pay the old links late, the new ones in time, or both at once. Whichever comes
 * first, the order is paid once.
 */
async function replace(world: World, old: SeenLink, { account, inTime, depth }: Expired, random: Random): Promise<void> {
  const kobo = Math.round(old.amount * KOBO_PER_NAIRA);
  const late = random.chance(0.5) ? pay(world, { account, kobo, madeAt: inTime }, random) : undefined;
  const link = await old.merchant.client.post("/api/v1/checkout/create", { amount: old.amount, replaces: old.reference });
  await late;
  if (!link) return;
  const known: SeenLink = { merchant: old.merchant, reference: link.reference, amount: old.amount, statuses: [link.status] };
  seen.push(known);
  const newAccount = await accountOf(world, link.reference);
  const taken = new Date();
  if (random.chance(0.5)) await pay(world, { account: newAccount, kobo }, random);
  if (depth === MAX_DEPTH || random.chance(0.3)) return;
  await expire(known);
  await replace(world, known, { account: newAccount, inTime: taken, depth: depth + 1 }, random);
}

const expire = ({ merchant, reference }: SeenLink) => merchant.client.post(`/api/v1/test/checkout/${reference}/expire`, {});

/** Sends a payer's transfer. The bank sends one or more notices of it, now or later, in any order. */
export async function pay(
  { tellSandbox }: World,
  { account, kobo, from, madeAt }: { account: string; kobo: number; from?: string; madeAt?: Date },
  random: Random,
): Promise<void> {
  const session = randomBytes(12).toString("hex");
  const copies = random.chance(0.3) ? 2 + random.below(3) : 1;
  const delayMs = random.chance(0.4) ? random.below(2_000) : 0;
  await tellSandbox("transfers", {
    session,
    account_no: account,
    kobo: String(kobo),
    from: "Payer",
    from_account: from ?? null,
    made_at: madeAt?.toISOString() ?? null,
    copies,
    delay_ms: delayMs,
  });
  sessions.add(session);
}

/** Plays a bank that keeps a wrong amount instead of sending it back, so that we must ask for the return. */
async function keepWrongly({ sql }: World, account: string, random: Random): Promise<void> {
  const session = randomBytes(12).toString("hex");
  const now = new Date().toISOString();
  const [opened] = await sql<{ house: string; reference: string }[]>`
    select house, reference from sandbox.bank_accounts where account_number = ${account}`;
  if (!opened) throw new Error(`no bank has account ${account}`);
  const { house, reference } = opened;
  const statement = {
    id: `ntc_${session}`,
    session,
    reference,
    account_no: account,
    kobo: "777",
    from: "Payer",
    made_at: now,
    sent_back: null,
  };
  const body = house === "sandbox" ? statement : { event: "account.changed", ref: reference };
  await sql.begin(async (tx) => {
    await tx`insert into sandbox.bank_transfers (session_id, account_number, amount, sender_name, made_at) values (${session}, ${account}, 777, 'Payer', ${now})`;
    await tx`
      insert into sandbox.notices (notice_id, path, body)
      select ${statement.id}, ${`/api/providers/${house}/notices`}, ${JSON.stringify(body)}::text::jsonb from generate_series(1, ${1 + random.below(3)}::int)`;
  });
  sessions.add(session);
}

async function repeat({ client }: MerchantInPlay, random: Random): Promise<void> {
  const answered = client.operations.filter(({ acknowledged }) => acknowledged.length > 0);
  if (answered.length > 0) await client.repeat(random.pick(answered));
}

async function passTime({ sql }: World): Promise<void> {
  await sql`update sandbox.notices set next_attempt_at = now() - interval '1 second' where acknowledged_at is null`;
  await sql`update provider_notices set next_attempt_at = now() - interval '1 second' where processed_at is null`;
  await sql`update bank_transfers set next_return_at = now() - interval '1 second' where return_state = 'owed'`;
  await sql`update one_time_accounts set next_read_at = now() - interval '1 second' where ${sql.unsafe(TO_READ)}`;
}

/** Accounts that are read soon because of a hint or a failure. The readings after the end of a link come in their own time, in a long campaign too. */
const TO_READ = `(read_failures > 0 or next_read_at < now() + interval '5 minutes') and not exists (
  select from payment_links l where l.merchant_id = one_time_accounts.merchant_id and l.id = link_id and read_failures = 0
    and next_read_at in (l.expires_at + interval '1 minute', l.expires_at + interval '1 hour'))`;

async function waiting({ sql }: World): Promise<Waiting> {
  const [counts = {}] = await sql<Waiting[]>`
    select (select count(*) from sandbox.notices where acknowledged_at is null) as "notices to be taken",
      (select count(*) from provider_notices where processed_at is null) as "notices to be worked off",
      (select count(*) from bank_transfers where return_state = 'owed') as "transfers to return",
      (select count(*) from one_time_accounts where ${sql.unsafe(TO_READ)}) as "accounts to read",
      (select count(*) from payment_links where status = 'pending' and expires_at <= now()) as "links to expire"`;
  return counts;
}

async function check(world: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const merchant of world.merchants) violations.push(...(await checkOperations(world, merchant)));
  return [
    ...violations,
    ...(await checkOrders(world.sql)),
    ...(await checkStatuses()),
    ...(await checkSessions(world.sql)),
    ...(await checkEvents(world.sql)),
  ];
}

const isOfLinks = ({ path }: Operation) => path.includes("/checkout/") && !path.includes("/refunds");

/** Compares every answer that a merchant got with the database. */
async function checkOperations({ sql }: World, { client, merchantId }: MerchantInPlay): Promise<Violation[]> {
  const violations: Violation[] = [];
  const links = await sql<{ reference: string; amount: bigint; status: string }[]>`
    select reference, amount, status from payment_links where merchant_id = ${merchantId}`;
  const made = new Map(links.map((link) => [link.reference, link]));
  const acknowledged = new Set<string>();
  for (const { path, key, body, acknowledged: answers, refused } of client.operations.filter(isOfLinks)) {
    if (answers.length > 0 && refused) violations.push(`key ${key} was acknowledged and then refused with ${refused}`);
    const references = new Set(answers.map((answer) => answer.body.reference));
    if (references.size > 1) violations.push(`key ${key} answered ${references.size} links`);
    for (const reference of references) {
      const link = made.get(reference);
      if (!link) violations.push(`link ${reference} was acknowledged and is not there`);
      else if (path.endsWith("/expire") && link.status === "pending") violations.push(`link ${reference} was ended and is pending`);
      else if (path.endsWith("/create") && Number(link.amount) !== Math.round(body.amount * KOBO_PER_NAIRA))
        violations.push(`link ${reference} was acknowledged at ${body.amount} and is ${link.amount} kobo`);
      if (path.endsWith("/create")) acknowledged.add(reference);
    }
  }
  for (const { reference } of links)
    if (!acknowledged.has(reference)) violations.push(`link ${reference} was made for no acknowledged key`);
  return violations;
}

/** Checks that at most one link of each chain of replacements is paid. */
async function checkOrders(sql: World["sql"]): Promise<Violation[]> {
  const twice = await sql<{ first_id: string; times: bigint }[]>`
    select coalesce(first_link_id, id) as first_id, count(*) as times from payment_links where status = 'success' group by 1 having count(*) > 1`;
  const [chains] = await sql<{ count: bigint }[]>`select count(*) from payment_links where first_link_id is not null`;
  return [
    ...twice.map(({ first_id, times }) => `the order of link ${first_id} was paid ${times} times`),
    ...(chains && chains.count > 0n ? [] : ["no link was replaced"]),
  ];
}

/** Checks the sequence of statuses of each link that the API has shown. */
async function checkStatuses(): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const link of seen) {
    const now = await link.merchant.client.mustGet(`/api/v1/checkout/status?reference=${link.reference}`);
    if (now.amount !== link.amount) violations.push(`link ${link.reference} was acknowledged at ${link.amount} and is ${now.amount}`);
    for (const [i, status] of [...link.statuses, now.status].entries()) {
      const before = link.statuses[i - 1];
      if (before && !FORWARD[before]?.includes(status)) violations.push(`link ${link.reference} went from ${before} to ${status}`);
    }
  }
  return violations;
}

/** Checks that each outcome of a link and each rejected transfer has one event. */
async function checkEvents(sql: World["sql"]): Promise<Violation[]> {
  const wrong = await sql<{ reference: string; status: string; paid: bigint; expired: bigint; rejected: bigint; returned: bigint }[]>`
    select l.reference, l.status, coalesce(e.paid, 0) as paid, coalesce(e.expired, 0) as expired, coalesce(e.rejected, 0) as rejected, coalesce(b.returned, 0) as returned
    from payment_links l
    left join (
      select merchant_id, data->>'reference' as reference, count(*) filter (where type = 'checkout.success') as paid,
        count(*) filter (where type = 'checkout.expired') as expired, count(*) filter (where type = 'checkout.transfer_rejected') as rejected
      from events group by 1, 2
    ) e on e.merchant_id = l.merchant_id and e.reference = l.reference
    left join (
      select merchant_id, link_id, count(*) as returned from bank_transfers where disposition = 'returned' and link_id is not null group by 1, 2
    ) b on b.merchant_id = l.merchant_id and b.link_id = l.id
    where coalesce(e.paid, 0) <> (l.status = 'success')::int or coalesce(e.expired, 0) > 1 or (l.status = 'expired' and coalesce(e.expired, 0) <> 1)
      or coalesce(e.rejected, 0) <> coalesce(b.returned, 0)`;
  return wrong.map(
    ({ reference, status, paid, expired, rejected, returned }) =>
      `link ${reference} is ${status}: told paid ${paid}, expired ${expired}, rejected ${rejected} of ${returned} times`,
  );
}

/** Compares the bank's transfers with ours. */
async function checkSessions(sql: World["sql"]): Promise<Violation[]> {
  const known = await sql<
    {
      session_id: string;
      rows: bigint;
      kept: boolean;
      told: boolean;
      returned: boolean;
      disposition: string | null;
      return_state: string;
    }[]
  >`
    select s.session_id, count(b.id) as rows, s.rejection is null as kept, s.returned_at is not null as returned,
      coalesce(max(a.house), 'sandbox') = 'sandbox' or coalesce(s.rejection, '') not in ('late', 'duplicate') as told,
      max(b.disposition::text) as disposition, max(b.return_state::text) as return_state
    from sandbox.bank_transfers s left join bank_transfers b on b.session_id = s.session_id
    left join sandbox.bank_accounts a on a.account_number = s.account_number group by s.session_id`;
  const violations: Violation[] = [];
  const atTheBank = new Set(known.map(({ session_id }) => session_id));
  for (const session of sessions)
    if (!atTheBank.has(session)) violations.push(`the bank acknowledged session ${session} and does not know it`);
  for (const { session_id, rows, kept, told, returned, disposition, return_state } of known) {
    if (rows !== (told ? 1n : 0n)) violations.push(`session ${session_id} was executed ${rows} times`);
    if (!told) continue;
    const isRight = kept ? (returned ? return_state === "done" : disposition !== "returned") : disposition === "returned";
    if (!isRight) violations.push(`session ${session_id}: bank kept=${kept} returned=${returned}, ours ${disposition}/${return_state}`);
  }
  return violations;
}

export const checkout: Flow = {
  name: "checkout",
  points: [
    { role: "web", kind: "commit", label: "idempotency_keys" },
    { role: "web", kind: "commit", label: "bank_sessions" },
    { role: "web", kind: "commit", label: "provider_notices" },
    { role: "web", kind: "commit", label: "payment_links" },
    { role: "web", kind: "call", label: "accounts" },
    { role: "web", kind: "call", label: "open" },
    { role: "web", kind: "call", label: "movements" },
    { role: "web", kind: "call", label: "notices" },
    { role: "worker", kind: "commit", label: "bank_transfers" },
    { role: "worker", kind: "call", label: "returns" },
    { role: "worker", kind: "call", label: "refund" },
  ],
  act,
  passTime,
  waiting,
  check,
};
