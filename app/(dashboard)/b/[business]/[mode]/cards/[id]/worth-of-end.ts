import { formatMoney, money } from "#lib/money.ts";
import { Problem } from "#lib/problem.ts";
import type { CardWithHolder } from "#services/cards/index.ts";
import { listRates } from "#services/cards/index.ts";
import type { MemberContext } from "#services/context.ts";

/** Returns in words the money that a termination returns. The Naira are an estimate: the rate at the time of the termination counts. */
export async function worthOfEnd(ctx: MemberContext, { balance, held }: CardWithHolder): Promise<string> {
  const waiting = held.minor > 0n ? ` ${formatMoney(held)} is authorised and waits for shops; what they do not take returns later.` : "";
  if (balance.minor < 0n) return `The card is overdrawn by ${formatMoney(money(-balance.minor, "USD"))}, which your wallet pays.${waiting}`;
  if (balance.minor === 0n) return `Nothing is left on it, so nothing returns.${waiting}`;
  const rate = await unloadRate(ctx);
  const naira = rate && ` That is about ${formatMoney(money(BigInt(Math.floor(Number(balance.minor) * rate)), "NGN"))} now.`;
  return `${formatMoney(balance)} returns to your wallet, at the rate of the moment when the issuer confirms.${naira ?? ""}${waiting}`;
}

async function unloadRate(ctx: MemberContext): Promise<number | undefined> {
  try {
    const [rate] = await listRates(ctx);
    return rate?.unload_rate;
  } catch (error) {
    if (error instanceof Problem && error.code === "PROVIDER_UNAVAILABLE") return undefined;
    throw error;
  }
}
