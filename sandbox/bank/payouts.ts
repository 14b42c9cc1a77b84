import { sql } from "#db/client.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { House } from "./accounts.ts";
import { SANDBOX_BANK_CODE, SANDBOX_BANK_NAME } from "./nuban.ts";

/** The banks that get payouts. No real bank has these codes. */
export const PAYEES_BANKS = [
  { code: SANDBOX_BANK_CODE, name: SANDBOX_BANK_NAME },
  { code: "00A", name: "Harbour Bank (test)" },
  { code: "00B", name: "Savannah Microfinance (test)" },
] as const;

export const isPayeesBank = (code: string): boolean => PAYEES_BANKS.some((bank) => bank.code === code);

/** Returns the name of an account's owner. No account has a number that ends in 4040. */
export const holderOf = (accountNumber: string): string | undefined =>
  accountNumber.endsWith("4040") ? undefined : `TEST ACCOUNT ${accountNumber.slice(-4)}`;

export type PayoutState = "queued" | "paid" | "failed" | "reversed";

export interface PayoutRow {
  house: House;
  reference: string;
  serial: bigint;
  bank_code: string;
  account_number: string;
  /** Kobo. */
  amount: bigint;
  state: PayoutState;
}

export type NewPayout = Pick<PayoutRow, "house" | "reference" | "bank_code" | "account_number" | "amount">;

/** The course of a payout or refund: its state at once, and a later one. */
export interface Course {
  state: PayoutState;
  later?: { state: PayoutState; afterMs: number };
}

const LATER_MS = 3 * SECOND_MS;
const REVERSED_AFTER_MS = 5 * SECOND_MS;

/** By the end of the account's number. */
const BY_ENDING: Record<string, Course> = {
  "0000": { state: "failed" },
  1111: { state: "queued", later: { state: "paid", afterMs: LATER_MS } },
  2222: { state: "queued", later: { state: "failed", afterMs: LATER_MS } },
  5555: { state: "paid", later: { state: "reversed", afterMs: REVERSED_AFTER_MS } },
};

/** Returns the course of money that is sent to an account. */
export const courseTo = (accountNumber: string): Course => BY_ENDING[accountNumber.slice(-4)] ?? { state: "paid" };

/** Returns the course of a payout. `sandbox-plain` decides nothing at once. */
function courseOf({ house, account_number }: NewPayout): Course {
  const course = courseTo(account_number);
  if (house === "sandbox" || course.state === "queued" || course.later) return course;
  return { state: "queued", later: { state: course.state, afterMs: LATER_MS } };
}

/** Takes an order. A repeated reference returns the first order, with `isNew: false`. */
export async function takePayout(payout: NewPayout): Promise<{ row: PayoutRow; isNew: boolean }> {
  const { house, reference, bank_code, account_number, amount } = payout;
  const { state, later } = courseOf(payout);
  const [row] = await sql()<PayoutRow[]>`
    insert into sandbox.payouts (house, reference, bank_code, account_number, amount, state, next_state, due_at)
    values (${house}, ${reference}, ${bank_code}, ${account_number}, ${String(amount)}::text::bigint, ${state}, ${later?.state ?? null},
      ${later ? sql()`now() + ${later.afterMs} * interval '1 ms'` : null})
    on conflict do nothing returning *`;
  if (row) return { row, isNew: true };
  const known = await findPayout(house, reference);
  if (!known) throw new Error("a payout with this reference was found and is gone");
  return { row: known, isNew: false };
}

export async function findPayout(house: House, reference: string): Promise<PayoutRow | undefined> {
  const [row] = await sql()<PayoutRow[]>`select * from sandbox.payouts where house = ${house} and reference = ${reference}`;
  return row;
}

/** Moves due payouts to their next state. `sandbox` queues a notice of each, and `sandbox-plain` tells nothing. */
export async function carryOutPayouts(): Promise<void> {
  await sql().begin(async (tx) => {
    const changed = await tx<PayoutRow[]>`
      update sandbox.payouts set state = next_state, next_state = null, due_at = null
      where (house, reference) in (select house, reference from sandbox.payouts where due_at <= now() order by due_at limit 100 for update skip locked)
      returning *`;
    for (const { house, reference, state } of changed) {
      if (house !== "sandbox") continue;
      await tx`
        insert into sandbox.notices (notice_id, path, body)
        values (${`pay_${reference}_${state}`}, '/api/providers/sandbox/notices', ${JSON.stringify({ payout: reference, state })}::text::jsonb)`;
    }
  });
}

/** Returns the id by which both banks know a transfer that was made. */
export const sessionOf = ({ serial, state }: Pick<PayoutRow, "serial" | "state">): string | null =>
  state === "paid" || state === "reversed" ? `0000${String(serial).padStart(26, "0")}` : null;
