import { payoutOwnerOf } from "#app/(dashboard)/_money-out/payout-owner.ts";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { toMajorNumber } from "#lib/money.ts";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import type { MemberContext } from "#services/context.ts";
import { getPayoutRoom, listBankAccounts, listPayouts } from "#services/payouts/index.ts";
import { nameOfAccount } from "./payouts/to-view.ts";

/** Returns what the sheet needs that sends money, or undefined for readers who may not send any. */
export async function readSending(ctx: MemberContext, base: string) {
  if (!mayChange(ctx, "payouts:write")) return undefined;
  const [owner, room, accounts, latest] = await Promise.all([
    payoutOwnerOf(ctx, base),
    getPayoutRoom(ctx),
    listBankAccounts(ctx),
    listPayouts(ctx, { limit: 10 }),
  ]);
  const usable = accounts.filter(({ state }) => state === "active");
  const { available, payable, fresh, limits } = room;
  return {
    ...{ owner, available, payable, fresh, path: `${base}/wallet`, max: toMajorNumber(limits.maxAmount), delay: delayText(limits.delayMs) },
    accounts: usable.map((account) => ({ id: account.id, to: nameOfAccount(account), accountName: account.accountName })),
    hasWaiting: accounts.length > usable.length,
    outcomes: Object.fromEntries(latest.items.map(({ id, status }) => [id, status])),
    isWaiting: latest.items.some(({ status }) => status === "processing"),
  };
}

/** Returns a time that money waits, for people. */
export function delayText(ms: number): string {
  const hours = Math.ceil(ms / HOUR_MS);
  if (hours === 1) return "hour";
  return ms > DAY_MS && ms % DAY_MS === 0 ? `${ms / DAY_MS} days` : `${hours} hours`;
}
