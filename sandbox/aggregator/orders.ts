import { sql } from "#db/client.ts";
import { keyedHash } from "#lib/secrets.ts";
import type { SandboxAggregatorName } from "./aggregator-name.ts";

export type State = "queued" | "delivered" | "failed" | "reversed";

export interface OrderRow {
  house: SandboxAggregatorName;
  reference: string;
  serial: bigint;
  service: string;
  code: string;
  recipient: string | null;
  variant: string | null;
  quantity: number;
  /** Kobo. */
  amount: bigint;
  /** For exam pins: the number of delivered pins. */
  delivered: number;
  state: State;
  created_at: string;
}

export type NewOrder = Pick<OrderRow, "reference" | "service" | "code" | "recipient" | "variant" | "quantity" | "amount">;

/** The course of an order. The end of its recipient chooses it, or the quantity for exam pins. */
export interface Course {
  state: State;
  later?: { state: State; afterMs: number };
  /** The answer comes after the caller's timeout. */
  isSilent?: true;
  /** The order is not taken. */
  isLost?: true;
  /** Number of pins that are not delivered. */
  lacks?: number;
}

const LATER_MS = 3_000;
const REVERSED_AFTER_MS = 5_000;

const BY_ENDING: Record<string, Course> = {
  "0000": { state: "failed" },
  1111: { state: "queued", later: { state: "delivered", afterMs: LATER_MS } },
  2222: { state: "queued", later: { state: "failed", afterMs: LATER_MS } },
  3333: { state: "delivered", isSilent: true },
  4444: { state: "failed", isSilent: true, isLost: true },
  5555: { state: "delivered", later: { state: "reversed", afterMs: REVERSED_AFTER_MS } },
};

const BY_QUANTITY: Record<number, Course> = {
  11: { state: "queued", later: { state: "delivered", afterMs: LATER_MS } },
  12: { state: "queued", later: { state: "failed", afterMs: LATER_MS } },
  13: { state: "failed" },
  17: { state: "delivered", lacks: 1 },
};

export function courseOf({ service, recipient, quantity }: NewOrder): Course {
  const course = service === "exam" ? BY_QUANTITY[quantity] : BY_ENDING[recipient?.slice(-4) ?? ""];
  return course ?? { state: "delivered" };
}

/** Takes an order. A repeated reference returns the first order. */
export async function takeOrder(
  aggregator: SandboxAggregatorName,
  order: NewOrder,
  { state, later, lacks = 0 }: Course,
): Promise<{ row: OrderRow; isNew: boolean }> {
  const { reference, service, code, recipient, variant, quantity, amount } = order;
  const [row] = await sql()<OrderRow[]>`
    insert into sandbox.vtu_orders (house, reference, service, code, recipient, variant, quantity, amount, delivered, state, next_state, due_at)
    values (${aggregator}, ${reference}, ${service}, ${code}, ${recipient}, ${variant}, ${quantity}, ${String(amount)}::text::bigint, ${quantity - lacks}, ${state},
      ${later?.state ?? null}, ${later ? sql()`now() + ${later.afterMs} * interval '1 ms'` : null})
    on conflict do nothing returning *`;
  if (row) return { row, isNew: true };
  const known = await findOrder(aggregator, reference);
  if (!known) throw new Error("an order with this reference was found and is gone");
  return { row: known, isNew: false };
}

export async function findOrder(aggregator: SandboxAggregatorName, reference: string): Promise<OrderRow | undefined> {
  const [row] = await sql()<OrderRow[]>`select * from sandbox.vtu_orders where house = ${aggregator} and reference = ${reference}`;
  return row;
}

const PATHS: Record<SandboxAggregatorName, string> = {
  sandbox: "/api/providers/sandbox/vtu-notices",
  "sandbox-vtpass": "/api/providers/sandbox-vtpass/vtu-notices",
};

/** Moves due orders to their next state, and queues a notice of each twice, as real aggregators do. */
export async function carryOutOrders(): Promise<void> {
  await sql().begin(async (tx) => {
    const changed = await tx<OrderRow[]>`
      update sandbox.vtu_orders set state = next_state, next_state = null, due_at = null
      where (house, reference) in (select house, reference from sandbox.vtu_orders where due_at <= now() order by due_at limit 100 for update skip locked)
      returning *`;
    for (const { house: aggregator, reference, state } of changed) {
      const body =
        aggregator === "sandbox" ? { order: reference } : { type: "transaction-update", data: { requestId: reference, status: state } };
      await tx`
        insert into sandbox.notices (notice_id, path, is_signed, body)
        select ${`vtu_${reference}_${state}`}, ${PATHS[aggregator]}, ${aggregator === "sandbox"}, ${JSON.stringify(body)}::text::jsonb from generate_series(1, 2)`;
    }
  });
}

/** Returns digits derived from `seed` under a key, so that only the sandbox can make them. */
function digits(seed: string, length: number): string {
  const hash = keyedHash("sandbox-vtu-tokens", seed);
  return String(BigInt(`0x${hash.slice(0, 40)}`) % 10n ** BigInt(length)).padStart(length, "0");
}

const KOBO_PER_KWH = 20_950n;
/** From this amount on, the credit comes in two tokens. */
const TWO_TOKENS_FROM_KOBO = 5_000_000n;

/** Returns the tokens for a prepaid meter (20 digits each, as in the STS standard) and their kilowatt-hours. */
export function tokensOf({ house: aggregator, serial, service, variant, amount }: OrderRow): { tokens: string[]; units: string | null } {
  if (service !== "electricity" || variant !== "Prepaid") return { tokens: [], units: null };
  const count = amount >= TWO_TOKENS_FROM_KOBO ? 2 : 1;
  const tokens = Array.from({ length: count }, (_, n) => digits(`${aggregator} token ${serial} ${n}`, 20));
  const tenths = (amount * 10n) / KOBO_PER_KWH;
  return { tokens, units: `${tenths / 10n}.${tenths % 10n}` };
}

export const pinsOf = ({ house: aggregator, serial, service, delivered }: OrderRow): { serial: string; pin: string }[] =>
  service === "exam"
    ? Array.from({ length: delivered }, (_, n) => ({
        serial: `WRN${digits(`${aggregator} serial ${serial} ${n}`, 10)}`,
        pin: digits(`${aggregator} pin ${serial} ${n}`, 12),
      }))
    : [];

const NAMES = ["NGOZI EZE", "MUSA ABDULLAHI", "FOLAKE ADEYEMI", "EMEKA OKAFOR"];

/** Returns the customer of a meter or smart card, or undefined for a number that ends in 0000. */
export function customerOf(recipient: string): { name: string; address: string } | undefined {
  if (recipient.endsWith("0000")) return undefined;
  const last = Number.parseInt(recipient.slice(-1), 36);
  return { name: NAMES[last % NAMES.length] ?? "NGOZI EZE", address: `${last + 1} Allen Avenue, Ikeja` };
}
