import pMap from "p-map";
import { Pool } from "undici";
import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { sign } from "#lib/signature.ts";
import { systemContext } from "#services/context.ts";
import { createBusiness } from "#services/merchants/index.ts";

const TRANSFERS = 1_000;
const CONNECTIONS = 64;
const AMOUNT = 5_000;
const AIM_MS = 1_500;

export interface Call {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** An account of a link: our reference for it, and its number. */
export interface Account {
  reference: string;
  number: string;
}

/** Sends all calls over 64 connections. Returns how long they took until the last answer, in milliseconds. Throws where one is not 2xx. */
export async function sendAll(url: string, calls: Call[]): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const startedAt = performance.now();
  await pMap(
    calls,
    async ({ path, headers, body }) => {
      const answer = await pool.request({ method: "POST", path, headers: { "content-type": "application/json", ...headers }, body });
      await answer.body.dump();
      if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}`);
    },
    { concurrency: CONNECTIONS },
  );
  const tookMs = performance.now() - startedAt;
  await pool.close();
  return tookMs;
}

/** Creates a merchant with an endpoint, and 1,000 links. Returns its id, and the bank's notices of an exact transfer to each link. */
async function aMerchantToPay(url: string): Promise<{ merchantId: string; notices: Call[] }> {
  const { testMerchantId: merchantId, testKey } = await createBusiness(systemContext("seed"), {
    name: "Busy",
    owner: { email: `busy${performance.now()}@bench.example`, name: "Busy", password: "irrelevant here" },
  });
  await sql()`update merchants set requests_per_second = 1000000, request_burst = 2000000 where id = ${merchantId}`;
  await sql()`insert into webhook_endpoints (merchant_id, id, url) values (${merchantId}, ${`we_${merchantId}`}, 'http://127.0.0.1:9/')`;
  const headers = { "x-api-key": testKey.publicKey, "x-api-secret": testKey.secretKey };
  const create = { path: "/api/v1/checkout/create", headers, body: JSON.stringify({ amount: AMOUNT, description: "Two bags of rice" }) };
  await sendAll(
    url,
    Array.from({ length: TRANSFERS }, () => create),
  );
  const links = await sql()<
    Account[]
  >`select provider_reference as reference, account_number as number from payment_links where merchant_id = ${merchantId}`;
  return { merchantId, notices: links.map(noticeOf) };
}

/** Returns the bank's notice of an exact transfer to an account of a link of 5,000 Naira. */
export function noticeOf({ reference, number }: Account): Call {
  const body = JSON.stringify({
    ...{ id: `ntc_${number}`, session: `session_${number}`, reference, account_no: number, kobo: String(AMOUNT * 100) },
    ...{ from: "Chidi Eze", from_bank: "Other Bank", from_account_last4: "4021", made_at: new Date().toISOString(), sent_back: null },
  });
  return { path: "/api/providers/bench/notices", headers: { "x-sandbox-signature": sign(settings().OJA_SECRET_KEY, body) }, body };
}

/** Throws unless each transfer has credited the wallet once and has its event. */
async function checkCredits(merchantId: string): Promise<void> {
  const [row] = await sql()`
    select (select posted_credits from ledger_accounts where merchant_id = ${merchantId} and account = 'wallet') as credited,
      (select count(*) from events where merchant_id = ${merchantId} and type = 'checkout.success') as events`;
  if (row?.credited !== BigInt(AMOUNT * 100 * TRANSFERS) || row.events !== BigInt(TRANSFERS))
    throw new Error(`${row?.credited} kobo were credited, with ${row?.events} events`);
}

/** Compares 1,000 exact transfers to one merchant, until the last one has its credit and its event, with as many durable inserts. */
export async function measureCredits(url: string, rounds: number): Promise<void> {
  const insert = { path: "/api/bench/insert", headers: {}, body: JSON.stringify({ amount: AMOUNT, description: "Two bags of rice" }) };
  const figures: { credits: number; inserts: number; commits: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const { merchantId, notices } = await aMerchantToPay(url);
    const inserts = await sendAll(
      url,
      notices.map(() => insert),
    );
    const credits = await sendAll(url, notices);
    await checkCredits(merchantId);
    const commits = (await sql()`select distinct xmin::text from bank_transfers where merchant_id = ${merchantId}`).length;
    figures.push({ credits: Math.round(credits), inserts: Math.round(inserts), commits });
  }
  console.table(figures);
  console.log(
    `${TRANSFERS} transfers over ${CONNECTIONS} connections: milliseconds to the last credit, and for as many bare inserts (aim: ${AIM_MS})`,
  );
}
