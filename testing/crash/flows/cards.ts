import { decidedByTwo } from "#services/approved.fixture.ts";
import { resolveItem } from "#services/cards/index.ts";
import type { Flow, MerchantInPlay, Violation, Waiting, World } from "../flow.ts";
import type { Random } from "../random.ts";

const CARDS = "/api/v1/virtual-cards";
const MAX_CARDS = 8;
const MIN_HOLDERS = 2;

/** Cardholders and cards that a merchant's server remembers. */
interface Memory {
  holders: number[];
  /** `spent` lists the authorizations and clearings that other spend may refer to. */
  cards: { id: string; spent: string[] }[];
}

const memories = new Map<string, Memory>();

function memoryOf({ merchantId }: MerchantInPlay): Memory {
  const memory = memories.get(merchantId) ?? { holders: [], cards: [] };
  memories.set(merchantId, memory);
  return memory;
}

async function act(world: World, merchant: MerchantInPlay, random: Random): Promise<void> {
  const memory = memoryOf(merchant);
  if (memory.holders.length < MIN_HOLDERS || random.chance(0.04)) return addCardholder(merchant, memory, random);
  if (memory.cards.length < 2 || (memory.cards.length < MAX_CARDS && random.chance(0.25))) return issue(merchant, memory, random);
  const card = random.pick(memory.cards);
  const post = (verb: string, body: unknown = {}) => merchant.client.post(`${CARDS}/${card.id}/${verb}`, body);
  const dollars = () => 1 + random.below(2_000) / 100;
  if (random.chance(0.03)) await resolveADifference(world, random);
  const draw = random.next();
  if (draw < 0.35) await post("fund", { amount: dollars() });
  else if (draw < 0.6) await post("unload", { amount: Math.ceil(dollars() * 10) / 100 });
  else if (draw < 0.8) await spend(merchant, card, random);
  else if (draw < 0.86) await post(random.chance(0.5) ? "freeze" : "unfreeze");
  else {
    // A funding that is in progress while the card is terminated.
    const funding = random.chance(0.5) ? post("fund", { amount: dollars() }) : undefined;
    await post("terminate");
    await funding;
    // Some terminated cards stay, and get later requests. Most make room for new cards.
    if (random.chance(0.8)) memory.cards = memory.cards.filter(({ id }) => id !== card.id);
  }
}

/** Simulates an operator who decides about a difference with an issuer, while spend and corrections of the card may still arrive. */
async function resolveADifference({ sql }: World, random: Random): Promise<void> {
  const open = await sql<{ id: string }[]>`select id from suspense_items where open <> 0 order by id limit 20`;
  if (open.length === 0) return;
  await decidedByTwo((by) => resolveItem(by, random.pick(open).id, random.chance(0.5) ? "credit" : "dismiss", "The issuer wrote to us."));
}

async function addCardholder({ client }: MerchantInPlay, memory: Memory, random: Random): Promise<void> {
  const email = `p${random.below(1e9)}@example.com`;
  const answer = await client.post(`${CARDS}/cardholders`, { first_name: "Ngozi", last_name: "Eze", email });
  if (answer) memory.holders.push(answer.data.id);
}

async function issue({ client }: MerchantInPlay, memory: Memory, random: Random): Promise<void> {
  const holder = random.pick(memory.holders);
  const read = await client.get(`${CARDS}/cardholders/${holder}`);
  if (read?.data.kyc_status !== "APPROVED") return;
  const answer = await client.post(CARDS, { cardholder_id: holder, brand: random.chance(0.5) ? "VISA" : "MASTERCARD" });
  if (answer) memory.cards.push({ id: answer.data.id, spent: [] });
}

async function spend({ client }: MerchantInPlay, card: Memory["cards"][number], random: Random): Promise<void> {
  const related = card.spent.length > 0 && random.chance(0.6) ? random.pick(card.spent) : undefined;
  const type = related ? random.pick(["CLEARING", "REVERSAL", "REFUND"]) : random.pick(["AUTHORIZATION", "AUTHORIZATION", "FEE", "REFUND"]);
  const answer = await client.post(`/api/v1/test/virtual-cards/${card.id}/transactions`, {
    type,
    amount: (1 + random.below(500)) / 100,
    merchant_name: "Shop",
    ...(related && { related_transaction_id: related }),
  });
  if (["AUTHORIZATION", "CLEARING"].includes(answer?.data.type)) card.spent.push(answer.data.id);
}

let isSyncPlanned = false;

/** Ages operations, so that an issuer never takes one that it has not taken yet. Makes each card due for one more sync. */
async function passTime({ sql }: World): Promise<void> {
  await sql`
    update card_operations set created_at = created_at - interval '1 minute', asked_at = asked_at - interval '1 minute', next_attempt_at = now() - interval '1 second'
    where status = 'processing'`;
  await sql`update card_operations set recheck_at = now() - interval '1 second' where recheck_at is not null`;
  await sql`update cardholders set next_check_at = now() where next_check_at is not null`;
  if (isSyncPlanned) return;
  isSyncPlanned = true;
  await sql`update cards set next_sync_at = now() - interval '1 second' where status in ('ACTIVE', 'FROZEN', 'TERMINATED')`;
}

async function waiting({ sql }: World): Promise<Waiting> {
  const [counts = {}] = await sql<Waiting[]>`
    select (select count(*) from card_operations where status = 'processing') as "card operations",
      (select count(*) from card_operations where recheck_at is not null and attempts < 2) as "lost card operations to re-check",
      (select count(*) from cardholders where next_check_at is not null) as "cardholders to check",
      (select count(*) from cards where next_sync_at <= now() + interval '1 hour') as "cards to read",
      (select count(*) from card_transactions where awaits_passing_on) as "card transactions to pass on"`;
  return counts;
}

async function check(world: World): Promise<Violation[]> {
  const { sql, merchants } = world;
  const violations: Violation[] = [];
  for (const merchant of merchants) violations.push(...(await checkAnswers(world, merchant)));
  return [...violations, ...(await checkIssuers(sql)), ...(await checkWallets(sql)), ...(await checkEvents(sql))];
}

const isMoney = (path: string) => /\/(fund|unload)$/.test(path);

/** Compares every answer that a merchant got with the database. */
async function checkAnswers({ sql }: World, { client, merchantId }: MerchantInPlay): Promise<Violation[]> {
  const violations: Violation[] = [];
  const operations = await sql<{ id: string; type: string; status: string; asked: bigint; corrected: boolean }[]>`
    select id, type, status, amount as asked, corrected_at is not null as corrected from card_operations where merchant_id = ${merchantId} and type in ('fund', 'unload')`;
  const made = new Map(operations.map((operation) => [operation.id, operation]));
  const cards = new Set((await sql<{ id: string }[]>`select id from cards where merchant_id = ${merchantId}`).map(({ id }) => id));
  const acknowledged = new Set<string>();
  const issued = new Set<string>();
  for (const { path, key, body, acknowledged: answers } of client.operations.filter((each) => each.path.startsWith(CARDS))) {
    const ids = new Set(answers.map((answer) => answer.body.data.id));
    if (ids.size > 1) violations.push(`key ${key} of ${path} answered ${ids.size} things`);
    for (const id of ids) {
      if (isMoney(path)) {
        acknowledged.add(id);
        const operation = made.get(id);
        if (!operation) violations.push(`operation ${id} was acknowledged and is not there`);
        else if (Number(operation.asked) !== Math.round(body.amount * 100))
          violations.push(`operation ${id} was acknowledged at ${body.amount} and is of ${operation.asked} cents`);
        const finals = new Set(answers.map((answer) => answer.body.data.status).filter((status) => status !== "processing"));
        for (const status of finals)
          if (operation && operation.status !== status && !(status === "failed" && operation.corrected))
            violations.push(`operation ${id} was told ${status} and is ${operation.status}`);
      } else if (path === CARDS) {
        issued.add(id);
        if (!cards.has(id)) violations.push(`card ${id} was acknowledged and is not there`);
      }
    }
  }
  for (const { id } of operations) if (!acknowledged.has(id)) violations.push(`operation ${id} was made for no acknowledged key`);
  for (const id of cards) if (!issued.has(id)) violations.push(`card ${id} was made for no acknowledged key`);
  return violations;
}

/** Compares the issuers' records with ours. */
async function checkIssuers(sql: World["sql"]): Promise<Violation[]> {
  const twice = await sql<{ reference: string; times: bigint }[]>`
    select reference, count(*) as times from sandbox.card_operations group by reference having count(*) > 1`;
  const different = await sql<{ id: string; type: string; status: string; state: string | null }[]>`
    select o.id, o.type, o.status, s.state from card_operations o left join sandbox.card_operations s on s.reference = o.reference
    where (o.status = 'completed') <> coalesce(s.state = 'done', false)
      -- An alert exists where a card was made after its operation had failed: operators close such a card.
      and not exists (select from alerts a where a.type in ('card_operation.corrected', 'card.closed_by_issuer') and a.resource_id in (o.id, o.card_id))`;
  const unasked = await sql<{ reference: string }[]>`
    select s.reference from sandbox.card_operations s where not exists (select from card_operations o where o.reference = s.reference)`;
  const unequal = await sql<{ id: string; status: string; state: string; ours: bigint; theirs: bigint }[]>`
    select c.id, c.status, s.state, a.available as ours, s.balance - coalesce(t.open, 0) as theirs
    from cards c join ledger_accounts a on a.merchant_id = c.merchant_id and a.account = 'card:' || c.id
    join sandbox.cards s on s.id = c.provider_reference
    left join (select card_id, sum(open)::bigint as open from sandbox.card_transactions group by 1) t on t.card_id = s.id
    where a.available <> s.balance - coalesce(t.open, 0)
      or c.status::text <> case s.state when 'active' then 'ACTIVE' when 'frozen' then 'FROZEN' when 'closed' then 'TERMINATED' end`;
  const [spend] = await sql<{ ours: bigint; theirs: bigint }[]>`
    select (select count(*) from card_transactions) as ours, (select count(*) from sandbox.card_transactions) as theirs`;
  return [
    ...twice.map(({ reference, times }) => `an issuer was asked ${times} times for ${reference}`),
    ...different.map(({ id, type, status, state }) => `${type} ${id} is ${status} with us and ${state} at its issuer`),
    ...unasked.map(({ reference }) => `an issuer did ${reference}, of which we know nothing`),
    ...unequal.map((card) => `card ${card.id}: ours ${card.status} ${card.ours}, its issuer's ${card.state} ${card.theirs} cents`),
    ...(spend?.ours === spend?.theirs ? [] : [`${spend?.ours} card transactions of ${spend?.theirs} are recorded`]),
  ];
}

/** Checks that a wallet equals its first money plus the changes by links, cards, terminations, purchases, payouts and refunds. */
async function checkWallets(sql: World["sql"]): Promise<Violation[]> {
  const wrong = await sql<{ merchant_id: string; is: string; should: string }[]>`
    select a.merchant_id, (a.posted_credits - a.posted_debits)::text as is, m.should::text from ledger_accounts a
    join lateral (
      select coalesce((select sum(amount) from ledger_transfers t where t.merchant_id = a.merchant_id and t.key like 'test:%'), 0)
        + coalesce((select sum(amount) from bank_transfers b where b.merchant_id = a.merchant_id and b.disposition = 'accepted'), 0)
        + coalesce((select sum(case when o.type in ('issue', 'fund') or o.amount < 0 then -o.wallet_amount else o.wallet_amount end)
            from card_operations o where o.merchant_id = a.merchant_id and o.status = 'completed'), 0)
        + coalesce((select sum(case t.credit_account when 'wallet' then t.amount else -t.amount end)
            from ledger_transfers t where t.merchant_id = a.merchant_id and t.result = 'posted'
              -- What the wallet could not cover is owed, as the last line says.
              and regexp_replace(t.key, ':overflow$', '') ~ '(:passed_on|:given_back|:paid_for_spend|:taken_back|:refund_taken_back|^sus_[^:]+:[0-9]+):wallet$'), 0)
        - coalesce((select sum(charged) from purchases p where p.merchant_id = a.merchant_id), 0)
        - coalesce((select sum(amount + fee) from payouts p where p.merchant_id = a.merchant_id and p.status = 'paid'), 0)
        - coalesce((select sum(amount) from refunds f where f.merchant_id = a.merchant_id and f.status = 'paid'), 0)
        + coalesce((select r.available from ledger_accounts r where r.merchant_id = a.merchant_id and r.account = 'receivable:merchant'), 0) as should
    ) m on true
    where a.account = 'wallet' and (a.posted_credits - a.posted_debits <> m.should or a.pending_debits <> 0)`;
  return wrong.map(({ merchant_id, is, should }) => `the wallet of ${merchant_id} is ${is} and should be ${should}, with nothing held`);
}

/** Checks that each outcome of a card and of its money has one event. */
async function checkEvents(sql: World["sql"]): Promise<Violation[]> {
  const wrong = await sql<{ type: string; id: string; told: bigint }[]>`
    with due as (
      select merchant_id, id, case type when 'fund' then 'card.funded' else 'card.unloaded' end as type
      from card_operations where status = 'completed' and type in ('fund', 'unload')
      union all select merchant_id, card_id, 'card.issued' from card_operations where status = 'completed' and type = 'issue'
      union all select merchant_id, card_id, 'card.failed' from card_operations where status = 'failed' and type = 'issue'
      union all select merchant_id, card_id, 'card.terminated' from card_operations where status = 'completed' and type = 'terminate'
      union all select merchant_id, id, 'card.transaction' from card_transactions
      union all select merchant_id, id::text, 'cardholder.kyc_approved' from cardholders where kyc_status = 'APPROVED'
    ), told as (
      select merchant_id, type, data->>'id' as id, count(*) as times from events
      where (type like 'card.%' or type like 'cardholder.%') and type not in ('card.frozen', 'card.unfrozen') group by 1, 2, 3
    )
    select coalesce(d.type, t.type) as type, coalesce(d.id, t.id) as id, coalesce(t.times, 0) as told
    from due d full join told t on t.merchant_id = d.merchant_id and t.type = d.type and t.id = d.id
    where coalesce(t.times, 0) <> case when d.id is null then 0 else 1 end`;
  return wrong.map(({ type, id, told }) => `${type} of ${id} was told ${told} times`);
}

export const cards: Flow = {
  name: "cards",
  points: [
    { role: "web", kind: "commit", label: "cardholders" },
    { role: "web", kind: "commit", label: "cards" },
    { role: "web", kind: "commit", label: "card_operations" },
    { role: "web", kind: "commit", label: "card_transactions" },
    { role: "web", kind: "call", label: "issue" },
    { role: "web", kind: "call", label: "fund" },
    { role: "web", kind: "call", label: "unload" },
    { role: "web", kind: "call", label: "terminate" },
    { role: "web", kind: "call", label: "cards" },
    { role: "web", kind: "call", label: "loads" },
    { role: "web", kind: "call", label: "withdrawals" },
    { role: "web", kind: "call", label: "closures" },
    { role: "web", kind: "call", label: "card-notices" },
    { role: "worker", kind: "commit", label: "card_operations" },
    { role: "worker", kind: "commit", label: "cards" },
    { role: "worker", kind: "call", label: "requests" },
    { role: "worker", kind: "call", label: "read-operation" },
  ],
  act,
  passTime,
  waiting,
  check,
};
