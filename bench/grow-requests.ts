import { request } from "undici";
import { median } from "./dashboard.ts";
import type { Grower } from "./grow-merchants.ts";
import { targetsOf } from "./grow-targets.ts";
import { type Figure, measureOnce, type Target } from "./load.ts";
import { flood, order, PURCHASE_PATH } from "./purchases.ts";

type Rate = Omit<Figure, "name">;

/** The cost of one request at one size, for both merchants. The calls are sent one at a time, alternately. */
export interface Compared {
  name: string;
  /** Milliseconds. */
  few: number;
  many: number;
  /** The median of the rounds' ratios: many / few. */
  ratio: number;
  /** The median of the rounds' ratios of `few` to a baseline that touches no merchant's row. */
  ofBaseline: number;
  /** The same through 16 connections. */
  load?: { few: number; many: number; ratio: number; fewP99Ms: number; manyP99Ms: number; failed: number };
}

export interface Pair {
  few: Grower;
  many: Grower;
}

interface Options {
  seconds: number;
  rounds: number;
}

const ONE_BY_ONE_ROUNDS = 100;
const WARM_ONES = 10;
const WARM_SECONDS = 2;
/** Requests that write are sent for no longer, so that the merchant with few rows stays small. */
const WRITE_SECONDS = 2;
const writingFor = (seconds: number) => Math.min(WRITE_SECONDS, seconds);

export const twoDigits = (figure: number) => Math.round(figure * 100) / 100;

/** Runs both one after the other, in reverse order in each second round, so that a slow minute of the machine affects both equally. */
export async function alternate<Result>(round: number, few: () => Promise<Result>, many: () => Promise<Result>): Promise<[Result, Result]> {
  if (round % 2 === 0) return [await few(), await many()];
  const ofMany = await many();
  return [await few(), ofMany];
}

/** Calls that return their milliseconds. */
interface Calls {
  few: () => Promise<number>;
  many: () => Promise<number>;
  baseline: () => Promise<number>;
}

/** Makes all calls in turn, after some rounds that do not count. */
export async function compareTimes(
  name: string,
  { few, many, baseline }: Calls,
  { rounds, warmRounds }: { rounds: number; warmRounds: number },
): Promise<Compared> {
  const times: [few: number, many: number, baseline: number][] = [];
  for (let round = -warmRounds; round < rounds; round++) {
    const ofBaseline = await baseline();
    const both = await alternate(Math.abs(round), few, many);
    if (round >= 0) times.push([...both, ofBaseline]);
  }
  return {
    name,
    few: twoDigits(median(times.map(([ofFew]) => ofFew))),
    many: twoDigits(median(times.map(([, ofMany]) => ofMany))),
    ratio: median(times.map(([ofFew, ofMany]) => ofMany / ofFew)),
    ofBaseline: median(times.map(([ofFew, , ofBaseline]) => ofFew / ofBaseline)),
  };
}

/** One indexed read over HTTP. */
export const baselineOf = (url: string, grower: Grower) => () => timeOf(url, grower, { path: "/api/bench/read?id=one" });

/** What is measured of a merchant. */
interface Measure {
  name: string;
  one: () => Promise<number>;
  load: (seconds: number) => Promise<Rate>;
}

/** Sends one request. Returns its milliseconds. Throws where the answer is not 2xx. */
async function timeOf(url: string, { headers }: Grower, { path, method = "GET", body }: Omit<Target, "name">): Promise<number> {
  const [first = ""] = typeof path === "function" ? [path()] : [path].flat();
  const startedAt = performance.now();
  const answer = await request(`${url}${first}`, { method, headers, ...(body && { body }) });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`${first} answered ${answer.statusCode}`);
  return performance.now() - startedAt;
}

async function measuresOf(url: string, grower: Grower): Promise<Measure[]> {
  const targets = (await targetsOf(url, grower)).map((target) => ({
    name: target.name,
    one: () => timeOf(url, grower, target),
    load: (seconds: number) => measureOnce(url, grower.headers, target, target.method === "POST" ? writingFor(seconds) : seconds),
  }));
  const purchase = {
    name: "purchase",
    one: () => timeOf(url, grower, { path: PURCHASE_PATH, method: "POST", body: order() }),
    load: (seconds: number) => flood(url, [grower.headers], writingFor(seconds)),
  };
  return [...targets, purchase];
}

/** Compares requests of both merchants over HTTP, through 16 connections and then one at a time. */
export async function compareRequestsOf(url: string, { few, many }: Pair, { seconds, rounds }: Options): Promise<Compared[]> {
  const ofMany = await measuresOf(url, many);
  const pairs = (await measuresOf(url, few)).map((one) => ({
    few: one,
    many: ofMany.find(({ name }) => name === one.name) ?? one,
    rates: [] as [few: Rate, many: Rate][],
  }));
  const load = (round: number, { few: one, many: other }: (typeof pairs)[number], forSeconds: number) =>
    alternate(
      round,
      () => one.load(forSeconds),
      () => other.load(forSeconds),
    );
  for (const pair of pairs) await load(0, pair, Math.min(WARM_SECONDS, seconds));
  for (let round = 0; round < rounds; round++) for (const pair of pairs) pair.rates.push(await load(round, pair, seconds));
  const compared: Compared[] = [];
  for (const { few: one, many: other, rates } of pairs) {
    const alone = await compareTimes(
      one.name,
      { few: one.one, many: other.one, baseline: baselineOf(url, few) },
      { rounds: ONE_BY_ONE_ROUNDS, warmRounds: WARM_ONES },
    );
    compared.push({ ...alone, load: comparedRates(rates) });
  }
  return compared;
}

const comparedRates = (rates: [few: Rate, many: Rate][]): NonNullable<Compared["load"]> => ({
  few: Math.round(median(rates.map(([few]) => few.perSecond))),
  many: Math.round(median(rates.map(([, many]) => many.perSecond))),
  ratio: median(rates.map(([few, many]) => few.perSecond / many.perSecond)),
  fewP99Ms: median(rates.map(([few]) => few.p99Ms)),
  manyP99Ms: median(rates.map(([, many]) => many.p99Ms)),
  failed: rates.flat().reduce((sum, { failed }) => sum + failed, 0),
});
