import { sql } from "#db/client.ts";
import { aLiveReference, copyTransfersToLive } from "#services/checkout/checkout.fixture.ts";

const url = () => process.env.BASE_URL ?? "";

/** Calls the API as a shop's server would. Throws for every answer but a success. */
export async function api(path: string, body?: unknown, keys = process.env.E2E_KEYS) {
  const { publicKey, secretKey } = JSON.parse(keys ?? "{}");
  const response = await fetch(`${url()}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-Api-Key": publicKey, "X-Api-Secret": secretKey, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
}

interface FeedEvent {
  type: string;
  sequence: number;
  data: { reference?: string };
}

/** Returns all events of a link. Reads the feed page by page, because other tests write to it too. */
export async function eventsOf(reference: string): Promise<FeedEvent[]> {
  const found: FeedEvent[] = [];
  for (let after = 0; ; ) {
    const { data }: { data: FeedEvent[] } = await api(`/events?after=${after}&limit=100`);
    const last = data.at(-1);
    if (!last) return found;
    found.push(...data.filter((event) => event.data.reference === reference));
    after = last.sequence;
  }
}

export const merchantId = () => process.env.E2E_MERCHANT ?? "";

export const createLink = (fields: Record<string, unknown> = {}) =>
  api("/checkout/create", { amount: 5_000, description: "Jollof for two", ...fields });

const liveMerchant = () => ({ liveMerchantId: process.env.E2E_LIVE_MERCHANT ?? "" });

async function idOf(reference: string): Promise<{ id: string }> {
  const [row] = await sql()<{ id: string }[]>`select id from payment_links where reference = ${reference}`;
  if (!row) throw new Error(`no link ${reference}`);
  return row;
}

/**
 * Copies a test link as it is now to live mode and returns the copy's page. Tests of the way back need it: a test page never redirects by
 * itself.
 */
export async function livePageOf({ reference }: { reference: string }): Promise<string> {
  return `${url()}/pay/${await aLiveReference(liveMerchant(), await idOf(reference))}`;
}

/** Copies the transfers that reached the test link after `livePageOf` to its live copy. */
export async function bringTransfersToLive({ reference }: { reference: string }): Promise<void> {
  await copyTransfersToLive(liveMerchant(), await idOf(reference));
}
