import { setTimeout } from "node:timers/promises";
import { request } from "undici";
import { sql } from "#db/client.ts";
import { systemContext } from "#services/context.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { createBusiness } from "#services/merchants/index.ts";
import { fillBusiness } from "./fill-business.ts";

const FEW_ROWS = 10_000;
/** Before the measured rounds, so that both businesses' pages are compiled and their newest rows cached. */
const WARM_ROUNDS = 3;

/** Every list, its filters (also those that no index serves), an old part of it, and home. */
const PAGES = [
  ...[
    "",
    "/wallet",
    "/wallet?type=payment_link",
    "/wallet?direction=debit",
    "/wallet?type=vtu_exam",
    "/wallet?{old}",
    "/wallet/statement?{month}",
  ],
  ...["/links", "/links?status=expired", "/links?status=pending", "/links?{old}", "/links?min=9000000", "/links?status=success&{old}"],
  ...[
    "/top-ups",
    "/top-ups?service=data",
    "/top-ups?status=failed",
    "/top-ups?status=processing",
    "/top-ups?recipient=08030000007",
    "/top-ups?{old}",
  ],
  ...["/cards", "/cards?status=FROZEN", "/cards?status=TERMINATED", "/cards/holders", "/cards/holders?kyc_status=REJECTED"],
  ...["/cards/holders?email=holder7@shop.example", "/cards/spend", "/cards/spend?type=DECLINE", "/cards/spend?type=REFUND"],
  ...["/cards/operations", "/cards/operations?type=fund", "/cards/operations?status=failed"],
  ...["/transactions", "/transactions?area=vtu", "/transactions?state=failed", "/transactions?{old}"],
];
/** Typical searches: an email, a phone, a card's last digits, and a meter that is not found. */
const SEARCHES = ["payer7@shop.example", "08030000007", "0007", "45012345678"];

export interface Business {
  merchantId: string;
  token: string;
}

interface Times {
  firstByteMs: number;
  wholeMs: number;
}

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const addressOf = (path: string) =>
  path.replace("{old}", `from=${daysAgo(200)}&to=${daysAgo(199)}`).replace("{month}", `month=${daysAgo(40).slice(0, 7)}`);

/** Makes a business and fills it. Returns its test merchant and the session of an owner. */
export async function aBusiness(name: string, fill: (business: Business) => Promise<void>): Promise<Business> {
  const { businessId, testMerchantId } = await createBusiness(systemContext("seed"), {
    name,
    owner: { email: `${name.replaceAll(" ", "-")}@bench.example`, name: "Bench", password: "irrelevant here" },
  });
  await sql()`update merchants set requests_per_second = 1000000, request_burst = 2000000`;
  const business = { merchantId: testMerchantId, token: (await aMember(businessId, "owner")).token };
  const startedAt = Date.now();
  await fill(business);
  console.log(`${name} written in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
  return business;
}

/** Reads a path as a member of the business. Waits while its session has too many pages at once. */
export async function timesOf(url: string, { merchantId, token }: Business, path: string): Promise<Times> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(`${url}${path}`, {
    headers: { cookie: `oja-session=${token}`, "oja-merchant": merchantId, "sec-fetch-site": "same-origin" },
  });
  let firstByteMs: number | undefined;
  for await (const _ of body) firstByteMs ??= performance.now() - startedAt;
  const wholeMs = performance.now() - startedAt;
  if (statusCode === 429) {
    await setTimeout(1_000);
    return timesOf(url, { merchantId, token }, path);
  }
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
  return { firstByteMs: firstByteMs ?? Number.NaN, wholeMs };
}

export const median = (figures: number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
export const rounded = (figure: number) => Math.round(figure * 10) / 10;

/** Compares each page of the dashboard of a business with many rows to that of a business with few. */
export async function compareDashboards(url: string, manyRows: number, rounds: number): Promise<void> {
  const few = await aBusiness(`${FEW_ROWS} rows`, ({ merchantId }) => fillBusiness(merchantId, FEW_ROWS));
  const many = await aBusiness(`${manyRows} rows`, ({ merchantId }) => fillBusiness(merchantId, manyRows));
  const paths = [
    ...PAGES.map((page) => addressOf(`/test${page}`)),
    ...SEARCHES.map((text) => `/api/dashboard/search?q=${encodeURIComponent(text)}`),
  ];
  await comparePaths(url, { few, many, paths, rounds });
}

interface Comparison {
  few: Business;
  many: Business;
  paths: string[];
  rounds: number;
}

/**
 * Requests each path for both businesses alternately, one request at a time. Prints the medians in milliseconds, and the ratio of the whole
 * answers: the frame of a page is sent before its list is read.
 */
export async function comparePaths(url: string, { few, many, paths, rounds }: Comparison): Promise<void> {
  const rows = [];
  for (const path of paths) {
    const times: Record<"few" | "many", Times[]> = { few: [], many: [] };
    for (let round = -WARM_ROUNDS; round < rounds; round++) {
      const [ofFew, ofMany] = [await timesOf(url, few, path), await timesOf(url, many, path)];
      if (round < 0) continue;
      times.few.push(ofFew);
      times.many.push(ofMany);
    }
    const [fewMs, manyMs] = [median(times.few.map(({ wholeMs }) => wholeMs)), median(times.many.map(({ wholeMs }) => wholeMs))];
    const firstByteMs = rounded(median(times.many.map((each) => each.firstByteMs)));
    rows.push({ path, fewMs: rounded(fewMs), manyMs: rounded(manyMs), firstByteMs, ratio: rounded(manyMs / fewMs) });
  }
  console.table(rows);
  const worst = rows.toSorted((a, b) => b.ratio - a.ratio)[0];
  console.log(`at most ${worst?.ratio} times as long as with ${FEW_ROWS} rows (${worst?.path}; aim 1.5)`);
}
