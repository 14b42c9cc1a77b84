import { DAY_MS } from "#lib/time.ts";
import { type Grower, sampleOf } from "./grow-merchants.ts";
import type { Target } from "./load.ts";

const BODY = JSON.stringify({ amount: 5_000, description: "Two bags of rice" });

/** A day of which both merchants have the same rows, because their first growths are alike. */
const oldDay = () => ({ from: new Date(Date.now() - 300 * DAY_MS), to: new Date(Date.now() - 299 * DAY_MS) });

const LINKS = "/api/v1/checkout";
const WALLET = "/api/v1/wallet/transactions";
const PURCHASES = "/api/v1/vtu/transactions";

/**
 * The lists, each with its filters: also those that no index serves and that find nothing. The wallet's are read before an old day, because the
 * newest entries of the two merchants have different types: the purchases of the last measurement lie below the rows of the next growth.
 */
const LISTS: [name: string, path: string, filters: string[], before?: string][] = [
  ["links", LINKS, ["status=success", "status=expired", "status=pending"]],
  ["wallet's history", WALLET, ["type=payment_link", "type=vtu_exam", "direction=debit"], `&created_before=${oldDay().to.toISOString()}`],
  ["purchases", PURCHASES, ["status=failed", "status=reversed", "service=data", "service=exam", "recipient=08030000007"]],
];

/** Returns a cursor that continues a list before a given time. */
async function cursorBefore(url: string, { headers }: Grower, path: string, time: Date): Promise<string> {
  const answer = await fetch(`${url}${path}?created_before=${time.toISOString()}`, { headers });
  const cursor = (await answer.json()).pagination?.next_cursor;
  if (typeof cursor !== "string") throw new Error(`${path} has no second page before ${time.toISOString()}`);
  return cursor;
}

async function listTargets(url: string, grower: Grower, middle: Date): Promise<Target[]> {
  const { from, to } = oldDay();
  const targets: Target[] = [];
  for (const [name, path, filters, before = ""] of LISTS) {
    targets.push({ name, path });
    targets.push({
      name: `${name}, from the middle`,
      path: `${path}?cursor=${encodeURIComponent(await cursorBefore(url, grower, path, middle))}`,
    });
    targets.push({
      name: `${name}, of an old day`,
      path: `${path}?created_after=${from.toISOString()}&created_before=${to.toISOString()}`,
    });
    for (const filter of filters) targets.push({ name: `${name}, ${filter}`, path: `${path}?${filter}${before}` });
  }
  return targets;
}

/** Returns the requests that are compared, for one merchant. The first three touch no row of it: their ratio shows the noise. */
export async function targetsOf(url: string, grower: Grower): Promise<Target[]> {
  const { aReference, aPurchase, middle } = await sampleOf(grower);
  return [
    { name: "baseline: bare handler", path: "/api/bench/bare" },
    { name: "baseline: one indexed read", path: "/api/bench/read?id=one" },
    { name: "baseline: one durable insert", path: "/api/bench/insert", method: "POST", body: BODY },
    { name: "create a link", path: "/api/v1/checkout/create", method: "POST", body: BODY },
    { name: "status of links of all ages", path: () => `/api/v1/checkout/status?reference=${aReference()}` },
    { name: "status of purchases of all ages", path: () => `/api/v1/vtu/transaction/status?reference=${aPurchase()}` },
    { name: "wallet", path: "/api/v1/wallet" },
    ...(await listTargets(url, grower, middle)),
  ];
}
