import { connect, db, sql } from "#db/client.ts";
import { money } from "#lib/money.ts";
import { systemContext } from "#services/context.ts";
import { cardAccount, postTransfers, RECEIVABLE, SETTLEMENT_BANK, SUSPENSE, type Transfer, WALLET } from "#services/ledger/index.ts";
import { createBusiness } from "#services/merchants/index.ts";
import { install, theirsOf } from "./peer.ts";
import { ACCOUNTS, type Call, nextCall, rateOf, type Scenario, twoOf } from "./scenario.ts";

/** More than a bench can move. */
const MUCH = 10n ** 14n;
/** The baseline at the start and at the end may differ by this share. If they differ more, the run's ratios are not valid. */
const MAX_NOISE = 0.15;

const kobo = (minor: bigint) => money(minor, "NGN");
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Creates a merchant that can spend more than a bench does, with many accounts beside its wallet. */
async function aMerchant(): Promise<string> {
  const { testMerchantId: id } = await createBusiness(systemContext("seed"), {
    name: "Ledger",
    owner: { email: `ledger${nextCall()}@bench.example`, name: "Ledger", password: "irrelevant here" },
  });
  await sql()`
    insert into ledger_accounts (merchant_id, account, currency, normal_side, floored)
    select ${id}, ${cardAccount("")} || n, 'NGN', 'credit', false from generate_series(0, ${ACCOUNTS - 1}) n`;
  await post(id, [{ kind: "post", key: "bench", debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(MUCH) }]);
  return id;
}

async function post(merchantId: string, transfers: Transfer[]): Promise<void> {
  const results = await postTransfers(db(), merchantId, transfers);
  const refused = results.find(({ result }) => result === "rejected");
  if (refused) throw new Error(`${refused.key}: ${refused.rejection}`);
}

const spend = (key: string, debit: string = WALLET, credit: string = SUSPENSE): Transfer => ({
  kind: "post",
  key,
  debit,
  credit,
  amount: kobo(1n),
});
const hold = (key: string): Transfer => ({ kind: "hold", key, debit: WALLET, credit: SUSPENSE, amount: kobo(2n) });

/** Makes holds. Returns their keys. */
async function manyHolds(id: string, count: number): Promise<string[]> {
  const round = nextCall();
  const keys = numbers(count).map((n) => `held:${round}:${n}`);
  for (let from = 0; from < count; from += 1_000) await post(id, keys.slice(from, from + 1_000).map(hold));
  return keys;
}

/** More than a scenario can capture in three seconds. */
const HOLDS = 40_000;

function oursOf(id: string, connections: number): Scenario[] {
  const one = (name: string, call: Call): Scenario => ({ name, connections, transfers: 1, call });
  const many = (name: string, size: number, of: (key: string) => Transfer): Scenario => ({
    name: `${name}, batches of ${size}`,
    connections,
    transfers: size,
    call: (n) =>
      post(
        id,
        numbers(size).map((i) => of(`b:${n}:${i}`)),
      ),
  });
  const captures = (name: string, size: number): Scenario => {
    let held: string[] = [];
    const call: Call = async () => {
      const targets = held.splice(0, size);
      if (targets.length < size) return false;
      await post(
        id,
        targets.map((target) => ({ kind: "capture", key: `c:${target}`, target })),
      );
    };
    const prepare = async () => {
      held = await manyHolds(id, HOLDS);
    };
    return { name, connections, transfers: size, prepare, call };
  };
  return [
    one("post, hot pair", (n) => post(id, [spend(`p:${n}`)])),
    one("post, 1,000 accounts", (n) => {
      const [from, to] = twoOf();
      return post(id, [spend(`s:${n}`, cardAccount(String(from)), cardAccount(String(to)))]);
    }),
    one("hold, hot pair", (n) => post(id, [hold(`h:${n}`)])),
    captures("capture, hot pair", 1),
    one("debt of 1, then a credit of 2 that pays it", (n) =>
      post(id, [
        { kind: "post", key: `d:${n}`, debit: RECEIVABLE, credit: SUSPENSE, amount: kobo(1n), linked: true },
        { kind: "post", key: `r:${n}`, debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(2n) },
      ]),
    ),
    many("post", 32, spend),
    many("post", 256, spend),
    many("hold", 32, hold),
    many("hold", 256, hold),
    captures("capture, batches of 32", 32),
    captures("capture, batches of 256", 256),
  ];
}

/** The baseline of this machine: one durable insert of one row. */
const baseline = (connections: number): Scenario => ({
  name: "baseline: one durable insert",
  connections,
  transfers: 1,
  call: (n) => sql()`insert into bench_rows (id, amount, description) values (${`l:${n}`}, 5000, 'Two bags of rice')`,
});

const median = (figures: number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;

/**
 * Compares the ledger with a peer's on one server, through one client: the medians of several rounds, in which the two alternate.
 * Refuses ratios where the baseline at the start and at the end differ too much.
 */
export async function compareLedgers({
  peer,
  seconds,
  rounds,
}: {
  peer?: { url: string; folder: string };
  seconds: number;
  rounds: number;
}): Promise<void> {
  const theirs = peer && (await install(peer.url, peer.folder));
  for (const connections of [1, 16]) {
    const id = await aMerchant();
    const first = await rateOf(baseline(connections), seconds);
    const found = new Map<string, { ours: number[]; theirs: number[] }>();
    for (let round = 0; round < rounds; round++) {
      const others = theirs ? theirsOf(theirs, connections) : [];
      for (const scenario of oursOf(id, connections)) {
        const figures = found.get(scenario.name) ?? { ours: [], theirs: [] };
        found.set(scenario.name, figures);
        figures.ours.push(await rateOf(scenario, seconds));
        const same = others.find(({ name }) => name === scenario.name);
        if (same) figures.theirs.push(await rateOf(same, seconds));
      }
    }
    const last = await rateOf(baseline(connections), seconds);
    const noise = Math.abs(first - last) / Math.min(first, last);
    console.log(
      `${connections} connections; baseline ${Math.round(first)}/s at the start, ${Math.round(last)}/s at the end (${Math.round(noise * 100)}% apart)`,
    );
    console.table(
      [...found].map(([name, figures]) => {
        const [our, their] = [median(figures.ours), median(figures.theirs)];
        return {
          name,
          "ours /s": Math.round(our),
          ...(figures.theirs.length > 0 && {
            "peer /s": Math.round(their),
            ratio: noise > MAX_NOISE ? "refused: too noisy" : (our / their).toFixed(2),
          }),
        };
      }),
    );
  }
  await theirs?.query.end();
}

/** Compares plain posts on a database that was never analysed with the same posts after `analyze`. */
export async function compareWithoutStatistics(url: string, posts: number): Promise<void> {
  const id = await aMerchant();
  const rate = async (name: string) => {
    const began = performance.now();
    let left = posts;
    const work = async () => {
      while (left-- > 0) await post(id, [spend(`${name}:${left}`)]);
    };
    await Promise.all(Array.from({ length: 16 }, work));
    return posts / ((performance.now() - began) / 1_000);
  };
  const before = await rate("fresh");
  const { sql: owner } = connect(url, { max: 1 });
  await owner`analyze`;
  await owner.end();
  const after = await rate("analysed");
  console.log(
    `${posts} posts of one merchant, 16 connections: ${Math.round(before)}/s without statistics, ${Math.round(after)}/s with them (${Math.round((before / after) * 100)}%, aim 90% or more)`,
  );
}
