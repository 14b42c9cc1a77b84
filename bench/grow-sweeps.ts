import { randomUUID } from "node:crypto";
import { db, sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { money } from "#lib/money.ts";
import { expireDueLinks } from "#services/checkout/index.ts";
import { type SystemContext, systemContext } from "#services/context.ts";
import { advanceFigures } from "#services/figures/index.ts";
import { mustPost, SETTLEMENT_BANK, WALLET } from "#services/ledger/index.ts";
import { sealWallets } from "#services/seals/index.ts";
import { Dispatcher } from "#services/webhooks/index.ts";
import type { Sweep } from "../worker/scheduler.ts";
import { SWEEPS } from "../worker/tasks.ts";
import { median } from "./dashboard.ts";
import type { Grower } from "./grow-merchants.ts";
import { type Compared, compareTimes, type Pair } from "./grow-requests.ts";

const IDLE_ROUNDS = 15;
const DUE_ROUNDS = 11;
const DUE_ROWS = 200;
const ctx = systemContext("bench");

const ALL_SWEEPS: Record<string, Sweep> = { ...SWEEPS, deliverEvents: () => new Dispatcher().sweep() };

/** A read that touches no row of a merchant. If it becomes slower, the machine is slower. */
export const BASELINE = "baseline: one indexed read";

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

/**
 * Leaves the sweeps with nothing due: marks the links of the requests as expired, without their events, and counts and seals all entries. Also
 * runs before a growth, which assumes this.
 */
export async function finishDueWork(merchants: readonly Grower[]): Promise<void> {
  for (const { merchantId } of merchants) {
    await sql()`update payment_links set status = 'expired' where merchant_id = ${merchantId} and status = 'pending'`;
  }
  for (const run of [advanceFigures, sealWallets]) while ((await run(ctx)) > 0);
}

/** Measures a round of each sweep with nothing due. Returns the medians in milliseconds. */
export async function measureIdleSweeps(): Promise<Map<string, number>> {
  const runs: Record<string, () => Promise<unknown>> = { [BASELINE]: () => sql()`select * from bench_rows where id = 'one'` };
  for (const [name, run] of Object.entries(ALL_SWEEPS)) runs[name] = () => run(ctx);
  const times = new Map(Object.keys(runs).map((name) => [name, [] as number[]]));
  // Work that is due only sometimes, such as a request to a bank, is done in this round, which is not measured.
  for (const run of Object.values(runs)) await run();
  for (let round = 0; round < IDLE_ROUNDS; round++) {
    for (const [name, run] of Object.entries(runs)) times.get(name)?.push(await timeOf(run));
  }
  return new Map([...times].map(([name, all]) => [name, Math.round(median(all) * 100) / 100]));
}

/** Creates pending links whose expiry has passed. */
async function makeLinksDue({ merchantId }: Grower): Promise<void> {
  const links = Array.from({ length: DUE_ROWS }, () => newId("paymentLink"));
  await sql()`
    with due as (select unnest(${links}::text[]) as id), accounts as (
      insert into one_time_accounts (provider, account_reference, account_number, merchant_id, link_id) select 'bench', id, id, ${merchantId}, id from due
    )
    insert into payment_links (merchant_id, id, reference, amount, provider, provider_reference, account_number, account_name, bank_name, checkout_url, made_by, created_at, expires_at)
    select ${merchantId}, id, upper(md5(id)) || '1', 500000, 'bench', id, id, 'Bench', 'Bench Bank', 'https://bench.example', 'system:bench', now() - interval '40 minutes', now() - interval '10 minutes' from due`;
}

let posted = 0;

const makeEntriesDue = ({ merchantId }: Grower) =>
  mustPost(
    db(),
    merchantId,
    Array.from({ length: DUE_ROWS }, () => ({
      ...({ kind: "post", debit: SETTLEMENT_BANK, credit: WALLET } as const),
      ...{ key: `bench:due:${posted++}`, amount: money(1n, "NGN") },
    })),
  );

/** Commits without any row of a merchant. */
async function insertSome(): Promise<number> {
  for (let n = 0; n < 10; n++)
    await sql()`insert into bench_rows (id, amount, description) values (${randomUUID()}, 5000, 'Two bags of rice')`;
  return 10;
}

/** Each sweep that works on a merchant's rows: `prepare` makes 200 rows due, and `done` is the count that `run` must return then. */
const DUE: { name: string; prepare: (grower: Grower) => Promise<unknown>; run: (ctx: SystemContext) => Promise<number>; done: number }[] = [
  { name: "sweep: baseline: ten durable inserts", prepare: async () => {}, run: insertSome, done: 10 },
  { name: `sweep: expire ${DUE_ROWS} links`, prepare: makeLinksDue, run: expireDueLinks, done: DUE_ROWS },
  { name: `sweep: count ${DUE_ROWS} entries into figures`, prepare: makeEntriesDue, run: advanceFigures, done: DUE_ROWS },
  { name: `sweep: seal ${DUE_ROWS} entries`, prepare: makeEntriesDue, run: sealWallets, done: 1 },
];

/** Measures sweeps with 200 rows due of one merchant, then of the other. */
export async function compareDueSweeps({ few, many }: Pair): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const { name, prepare, run, done } of DUE) {
    const timeFor = async (grower: Grower) => {
      await prepare(grower);
      let found = 0;
      const tookMs = await timeOf(async () => {
        found = await run(ctx);
      });
      if (found !== done) throw new Error(`${name}: the sweep did ${found} rows instead of ${done}`);
      await finishDueWork([]);
      return tookMs;
    };
    const calls = { few: () => timeFor(few), many: () => timeFor(many), baseline: () => timeOf(insertSome) };
    compared.push(await compareTimes(name, calls, { rounds: DUE_ROUNDS, warmRounds: 1 }));
  }
  return compared;
}
