import { setTimeout as wait } from "node:timers/promises";
import { naira } from "#lib/money.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { addToWallet } from "#services/cards/cards.fixture.ts";
import { bindProvider, setFallbackBanks } from "#services/merchants/index.ts";
import { anOperator, byOperator, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { aBankAccount } from "#services/payouts/payouts.fixture.ts";
import { ALL_PERMISSIONS } from "#services/permissions.ts";
import { listenOnLoopback } from "../../listen-on-loopback.ts";
import type { FaultyServer, ProviderRequest } from "../../providers/faulty-server.ts";
import { Monnify } from "../../providers/monnify/monnify.ts";
import { Paystack } from "../../providers/paystack/paystack.ts";
import { Squad } from "../../providers/squad/squad.ts";
import type { Failpoints, Point } from "../failpoints.ts";
import type { Flow, LiveMerchant, MerchantInPlay, Violation, Waiting, World } from "../flow.ts";
import type { Random } from "../random.ts";

// Live mode: merchants at simulated Paystack, Squad and Monnify, which lie, fall silent, and see their callers die.

const CREATE = "/api/v1/checkout/create";
const PAYOUTS = "/api/v1/payouts";
const REFUNDS = "/api/v1/checkout/refunds";
const WALLET_NAIRA = 1_000_000;
/** Endings of accounts, which choose what the banks do. */
const ENDINGS = ["4417", "0000", "1111", "2222"];
const FAULT_SHARE = 0.05;
const FAULTS = ["lost", "cut", "html", "error", "empty", "busy", "word"] as const;

const banks = { paystack: new Paystack(), squad: new Squad(), monnify: new Monnify() };
type Name = keyof typeof banks;
const NAMES = Object.keys(banks) as Name[];
const isName = (text: unknown): text is Name => NAMES.some((name) => name === text);

/** The points of the banks' calls, by method and path. */
const LABELS: [RegExp, Point][] = [
  [
    /^POST (?:\/charge|.*initiate-dynamic-virtual-account|.*init-transaction|.*init-payment)$/,
    { role: "web", kind: "call", label: "live-open" },
  ],
  [/^POST (?:\/transfer|\/payout\/transfer|.*disbursements\/single)$/, { role: "web", kind: "call", label: "live-pay" }],
  [/^POST (?:\/refund|.*initiate-refund)$/, { role: "web", kind: "call", label: "live-refund" }],
  [
    /^GET .*(?:\/transfer\/verify\/.*|disbursements\/single\/summary)$|^POST \/payout\/requery$/,
    { role: "worker", kind: "call", label: "live-payout" },
  ],
];
const pointOf = ({ method, url }: ProviderRequest): Point | undefined =>
  LABELS.find(([pattern]) => pattern.test(`${method} ${url.pathname}`))?.[1];

/** Starts the banks. Returns the settings that name them. */
export async function startLiveBanks(webUrl: string, failpoints: Failpoints): Promise<Record<string, string>> {
  for (const name of NAMES) {
    const bank = banks[name];
    bank.noticeUrl = `${webUrl}/api/providers/${name}/notices`;
    bank.url = `http://127.0.0.1:${await listenOnLoopback(bank.wire.server)}`;
    interrupt(bank.wire, failpoints);
  }
  const { paystack, squad, monnify } = banks;
  return {
    ...{ OJA_PAYSTACK_BASE_URL: paystack.url, OJA_PAYSTACK_SECRET_KEY: paystack.secretKey },
    ...{ OJA_SQUAD_BASE_URL: squad.url, OJA_SQUAD_SECRET_KEY: squad.secretKey, OJA_SQUAD_MERCHANT_ID: squad.merchantId },
    ...{ OJA_MONNIFY_BASE_URL: monnify.url, OJA_MONNIFY_API_KEY: monnify.apiKey, OJA_MONNIFY_SECRET_KEY: monnify.secretKey },
    ...{ OJA_MONNIFY_CONTRACT_CODE: monnify.contractCode, OJA_MONNIFY_SOURCE_ACCOUNT: monnify.sourceAccount },
  };
}

function interrupt(wire: FaultyServer, failpoints: Failpoints): void {
  wire.interrupt = async (request, when) => {
    const point = pointOf(request);
    if (!point) return false;
    await wait(failpoints.delayAt(point, when));
    return failpoints.hit(point, when);
  };
}

/** The ids of bank accounts by live merchant, in the order of `ENDINGS`. */
const accounts = new Map<string, string[]>();

/** Opens live mode for the business of a merchant, at one of the banks, with the others to fall back on. Returns its key. */
export async function goLive(shop: TestMerchant, i: number): Promise<{ publicKey: string; secretKey: string }> {
  const [own = "paystack", ...others] = [...NAMES.slice(i % NAMES.length), ...NAMES.slice(0, i % NAMES.length)];
  const { liveMerchantId } = shop;
  await bindProvider(anOperator, liveMerchantId, "bank", own);
  await setFallbackBanks(anOperator, liveMerchantId, others);
  await enableLiveAreas(liveMerchantId, "checkout");
  const live = { ...shop, merchant: { ...shop.merchant, id: liveMerchantId, mode: "live" as const, bank: own } };
  await addToWallet(live, naira(WALLET_NAIRA));
  const ids: string[] = [];
  for (const ending of ENDINGS) ids.push(await aBankAccount(live, ending));
  accounts.set(liveMerchantId, ids);
  return createApiKey(byOperator(shop.liveCtx), { name: "Live", permissions: [...ALL_PERMISSIONS] });
}

/** References of links that their bank keeps the exact money of. */
const paid = new Set<string>();

async function act(world: World, { live }: MerchantInPlay, random: Random): Promise<void> {
  if (!live) throw new Error("a merchant has no live mode");
  const { client, merchantId } = live;
  if (random.chance(FAULT_SHARE)) banks[random.pick(NAMES)].wire.failNext({ path: "/", kind: random.pick(FAULTS) });
  if (random.chance(0.4)) {
    await client.post(PAYOUTS, { amount: 100 + random.below(2_000), bank_account_id: random.pick(accounts.get(merchantId) ?? []) });
    return;
  }
  const amount = 100 + random.below(100_000) / 100;
  const link = await client.post(CREATE, { amount });
  if (!link) return;
  const name = await payLink(world, link.reference, Math.round(amount * 100), random);
  if (name === undefined || name === "squad" || !random.chance(0.5)) return;
  if (random.chance(0.2)) endNextRefundBadly(name);
  const parts = [random.below(60), random.below(60)].map((part) => ({ reference: link.reference, amount: 50 + part }));
  await Promise.all(parts.map((body) => client.post(REFUNDS, body)));
}

function endNextRefundBadly(name: Exclude<Name, "squad">): void {
  if (name === "paystack") banks.paystack.books.endNextRefund("failed");
  else banks.monnify.refunds.endNext("FAILED");
}

/** Pays a link as its payer: mostly exactly, and sometimes wrongly before or once more after that. Returns the bank where it was paid, if it was. */
async function payLink({ sql }: World, reference: string, kobo: number, random: Random): Promise<Name | undefined> {
  const [link] = await sql<{ provider: string; account_number: string }[]>`
    select provider, account_number from payment_links where reference = ${reference}`;
  if (!link || !isName(link.provider)) throw new Error(`link ${reference} was acknowledged, and is not there`);
  const bank = banks[link.provider];
  if (random.chance(0.1)) return undefined;
  if (random.chance(0.1)) await bank.pay(link.account_number, kobo + 1);
  paid.add(reference);
  // Some notices are lost.
  await bank.pay(link.account_number, kobo, { copies: random.below(4) });
  if (random.chance(0.1)) await bank.pay(link.account_number, kobo);
  const [now] = await sql<{ status: string }[]>`select status from payment_links where reference = ${reference}`;
  return now?.status === "success" ? link.provider : undefined;
}

/** Has accounts read whose payment is not seen yet: their notices were lost. */
async function passTime({ sql }: World): Promise<void> {
  await sql`
    update one_time_accounts a set next_read_at = now() - interval '1 second' from payment_links l
    where l.merchant_id = a.merchant_id and l.id = a.link_id and l.status = 'pending' and l.reference = any(${[...paid]})`;
}

async function waiting({ sql }: World): Promise<Waiting> {
  const [counts = {}] = await sql<Waiting[]>`
    select count(*) as "live links whose payment is not seen" from payment_links where reference = any(${[...paid]}) and status = 'pending'`;
  return counts;
}

async function check({ sql, merchants }: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const live of merchants.flatMap((each) => each.live ?? [])) violations.push(...(await checkLinks(sql, live)));
  return [...violations, ...(await checkPayouts(sql)), ...(await checkRefunds(sql)), ...(await checkCoverage(sql))];
}

/** Compares links with what merchants were told, and with what their payers sent. */
async function checkLinks(sql: World["sql"], { merchantId, client }: LiveMerchant): Promise<Violation[]> {
  const violations: Violation[] = [];
  const links = await sql<{ reference: string; status: string; accepted: bigint }[]>`
    select l.reference, l.status, count(b.id) filter (where b.disposition = 'accepted') as accepted
    from payment_links l left join bank_transfers b on b.merchant_id = l.merchant_id and b.link_id = l.id
    where l.merchant_id = ${merchantId} group by l.reference, l.status`;
  const told = new Set<string>();
  for (const { key, acknowledged } of client.operations.filter(({ path }) => path === CREATE)) {
    const references = new Set<string>(acknowledged.map(({ body }) => body.reference));
    if (references.size > 1) violations.push(`key ${key} answered ${references.size} live links`);
    for (const reference of references) told.add(reference);
  }
  for (const { reference, status, accepted } of links) {
    if (!told.delete(reference)) violations.push(`live link ${reference} was made for no acknowledged key`);
    const isPaid = paid.has(reference);
    if ((status === "success") !== isPaid || accepted !== (isPaid ? 1n : 0n))
      violations.push(`live link ${reference} is ${status} with ${accepted} accepted transfers, and was ${isPaid ? "" : "not "}paid`);
  }
  for (const reference of told) violations.push(`live link ${reference} was acknowledged and is not there`);
  return violations;
}

const PAID_WORDS = ["success", "SUCCESS", "processed", "COMPLETED"];

/** Compares our payouts at the banks with theirs. */
async function checkPayouts(sql: World["sql"]): Promise<Violation[]> {
  const ours = await sql<{ reference: string; provider: string; status: string }[]>`
    select lower(id) as reference, provider, status from payouts where provider = any(${NAMES})`;
  const prefix = `${banks.squad.merchantId}_`;
  const theirs = NAMES.flatMap((name) =>
    [...banks[name].payouts.states()].map(([reference, state]) => ({ name, reference: reference.replace(prefix, ""), state })),
  );
  return compare("payout", ours, theirs);
}

/** Compares our refunds at the banks with theirs. */
async function checkRefunds(sql: World["sql"]): Promise<Violation[]> {
  const ours = await sql<{ reference: string; provider: string; status: string }[]>`
    select lower(id) as reference, provider, status from refunds where provider = any(${NAMES}) and route = 'bank'`;
  const theirs = [
    ...banks.paystack.books.refundStates().map(([reference, state]) => ({ name: "paystack", reference, state })),
    ...[...banks.monnify.refunds.states()].map(([reference, state]) => ({ name: "monnify", reference, state })),
  ];
  return compare("refund", ours, theirs);
}

interface Ours {
  reference: string;
  provider: string;
  status: string;
}
interface Theirs {
  name: string;
  reference: string;
  state: string;
}

/** Money has gone by us exactly where it has gone by the bank, once, and a bank has no order that we do not know. */
function compare(kind: string, ours: Ours[], theirs: Theirs[]): Violation[] {
  const known = new Map(ours.map((row) => [row.reference, row]));
  const atBank = Map.groupBy(theirs, ({ reference }) => reference);
  return [
    ...ours.flatMap(({ reference, provider, status }) => {
      const orders = (atBank.get(reference) ?? []).filter(({ name }) => name === provider);
      const isPaidThere = orders.some(({ state }) => PAID_WORDS.includes(state));
      const isRight = orders.length <= 1 && (status === "paid") === isPaidThere;
      return isRight
        ? []
        : [`live ${kind} ${reference} at ${provider} is ${status} with us, and there: ${orders.map(({ state }) => state)}`];
    }),
    ...theirs.flatMap(({ name, reference }) =>
      known.get(reference)?.provider === name ? [] : [`${name} took ${kind} ${reference}, of which we know nothing`],
    ),
  ];
}

/** A short campaign reaches not all of it at each bank. */
async function checkCoverage(sql: World["sql"]): Promise<Violation[]> {
  const [done] = await sql<{ links: bigint; payouts: bigint; refunds: bigint }[]>`
    select (select count(*) from payment_links where provider = any(${NAMES}) and status = 'success') as links,
      (select count(*) from payouts where provider = any(${NAMES}) and status = 'paid') as payouts,
      (select count(*) from refunds where provider = any(${NAMES}) and status = 'paid') as refunds`;
  const { links = 0n, payouts = 0n, refunds = 0n } = done ?? {};
  return links > 0n && payouts > 0n && refunds > 0n
    ? []
    : [`in live mode ${links} links were paid, ${payouts} payouts and ${refunds} refunds`];
}

export const liveBanks: Flow = {
  name: "live banks",
  points: LABELS.map(([, point]) => point),
  act,
  passTime,
  waiting,
  check,
};
