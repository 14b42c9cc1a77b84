import { sql } from "#db/client.ts";
import { type Figure, measureOnce, type Target } from "./load.ts";
import { aBuyer, flood, type Headers, sellAirtime, WALLETS } from "./purchases.ts";

/** Addresses of processes that answer the bare routes. */
export interface Baselines {
  /** Next's router, with the product's border before it. */
  next: string;
  /** `node:http` alone. */
  node: string;
}

interface Options {
  key: { publicKey: string; secretKey: string };
  seconds: number;
  rounds: number;
}

const LINKS = 2_000;
const BODY = JSON.stringify({ amount: 5_000, description: "Two bags of rice" });

/** Each request with its baseline, the target ratio to Next's baseline, and the hoped-for ratio to that of bare `node:http`. */
const AIMS = [
  { name: "status", beside: "one indexed read", aim: 2.0, hope: 0.5 },
  { name: "create", beside: "one durable insert", aim: 1.6 },
  { name: "purchases, one wallet", beside: "one durable insert", aim: 1.0 },
  { name: `purchases, ${WALLETS} wallets`, beside: "one durable insert", aim: 0.8 },
];
const PAGE_AIM = 0.85;

/** Compares requests of the product with bare routes of Next and of `node:http`, in turn, so that a slow minute affects each alike. */
export async function compareRequests(url: string, { next, node }: Baselines, { key, seconds, rounds }: Options): Promise<void> {
  const headers = { "x-api-key": key.publicKey, "x-api-secret": key.secretKey, "content-type": "application/json" };
  const create: Target = { name: "create", path: "/api/v1/checkout/create", method: "POST", body: BODY };
  const references: string[] = [];
  for (let i = 0; i < LINKS; i++) references.push(await referenceOfNew(url, headers));
  const bare = (of: string, at: string): Target[] => [
    { name: `${of}: bare handler`, url: at, path: "/api/bench/bare" },
    { name: `${of}: one indexed read`, url: at, path: "/api/bench/read?id=one" },
    { name: `${of}: one durable insert`, url: at, path: "/api/bench/insert", method: "POST", body: BODY },
  ];
  const targets: Target[] = [
    ...[...bare("next", next), ...bare("node", node)],
    { name: "an endpoint that does not exist", path: "/api/v1/nothing" },
    { name: "status", path: references.map((reference) => `/api/v1/checkout/status?reference=${reference}`) },
    { name: "payer's page", path: references.map((reference) => `/pay/${reference}`) },
    create,
  ];
  await sellAirtime();
  const many: Headers[] = [];
  for (let i = 0; i < WALLETS; i++) many.push(await aBuyer());
  const one = [await aBuyer()];
  const measures: [name: string, measure: (seconds: number) => Promise<Figure>][] = [
    ...targets.map((target): [string, (seconds: number) => Promise<Figure>] => [target.name, (s) => measureOnce(url, headers, target, s)]),
    ["purchases, one wallet", async (s) => ({ name: "purchases, one wallet", ...(await flood(url, one, s)) })],
    [`purchases, ${WALLETS} wallets`, async (s) => ({ name: `purchases, ${WALLETS} wallets`, ...(await flood(url, many, s)) })],
  ];
  // Processes are slow in their first half minute.
  for (const [, measure] of measures) await measure(Math.max(4, seconds / 2));
  await sql()`analyze`;
  const figures: Figure[] = [];
  for (let round = 0; round < rounds; round++) for (const [, measure] of measures) figures.push(await measure(seconds));
  const medians = measures.map(([name]) => medianOf(figures.filter((each) => each.name === name)));
  console.table(medians);
  const of = (name: string) => medians.find((each) => each.name === name)?.perSecond ?? Number.NaN;
  const ratio = (a: string, b: string) => (of(a) / of(b)).toFixed(2);
  for (const { name, beside, aim, hope } of AIMS) {
    const hoped = hope === undefined ? "" : ` (hoped for: ${hope})`;
    console.log(
      `${name}: ${ratio(name, `next: ${beside}`)} of Next's ${beside} (aim ${aim}), ${ratio(name, `node: ${beside}`)} of node:http's${hoped}`,
    );
  }
  console.log(`payer's page: ${ratio("payer's page", "status")} of status (aim ${PAGE_AIM})`);
}

async function referenceOfNew(url: string, headers: Headers): Promise<string> {
  const made = await fetch(`${url}/api/v1/checkout/create`, { method: "POST", headers, body: BODY });
  return (await made.json()).reference;
}

function medianOf(figures: Figure[]): Figure {
  const [first, ...others] = figures.toSorted((a, b) => a.perSecond - b.perSecond);
  const middle = [first, ...others][Math.floor(figures.length / 2)];
  if (!middle) throw new Error("nothing was measured");
  return { ...middle, perSecond: Math.round(middle.perSecond), failed: figures.reduce((sum, { failed }) => sum + failed, 0) };
}
