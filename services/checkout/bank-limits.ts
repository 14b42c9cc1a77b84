import { log } from "#lib/log.ts";
import { formatMoney, type Money, money } from "#lib/money.ts";
import { invalid, Problem } from "#lib/problem.ts";
import type { Bank, ReturnOutcome } from "#providers/bank.ts";
import { banks } from "../providers/index.ts";
import { LINK_VALID_FOR_MS, type LinkRow, type TransferRow } from "./payment-link.ts";

// What a bank cannot do means for links. docs/providers.md says it for merchants.

/** Returns why a bank can serve no link, in words for operators, or undefined. */
function whyUnfit({ addsPayerFee, validForMs }: Bank["capabilities"]): string | undefined {
  if (addsPayerFee) return "It adds its fee to the amount, and a link asks its payer for one exact amount.";
  if (validForMs.max < LINK_VALID_FOR_MS) return "Its accounts are open for less than the 30 minutes of a link.";
  return undefined;
}

/** Returns whether a bank can serve a link of an amount. */
export const canServe = ({ capabilities }: Bank, { minor }: Money): boolean =>
  whyUnfit(capabilities) === undefined && minor >= capabilities.amount.min.minor && minor <= capabilities.amount.max.minor;

/** Throws PROVIDER_UNAVAILABLE for a bank that can serve no link, and VALIDATION_ERROR for an amount that its accounts do not take. */
export function requireWithinLimits({ name, capabilities }: Bank, amount: Money): void {
  const unfit = whyUnfit(capabilities);
  if (unfit) {
    log().error({ provider: name, reason: unfit }, "a merchant is bound to a bank that can serve no link");
    throw new Problem("PROVIDER_UNAVAILABLE", "The bank of this account cannot serve payment links. Ask the operator of this service.");
  }
  const { min, max } = capabilities.amount;
  if (amount.minor < min.minor) throw invalid("amount", `Send at least ${formatMoney(min)}: the bank takes no less.`);
  if (amount.minor > max.minor) throw invalid("amount", `Send at most ${formatMoney(max)}: the bank takes no more.`);
}

/**
 * Returns for how long a link's account is asked to be open: as long as the link, or longer at a bank that has no such short accounts. Money that
 * the bank then keeps after the end of the link is late, and we have it sent back.
 */
export const accountValidForMs = ({ validForMs }: Bank["capabilities"]): number => Math.max(LINK_VALID_FOR_MS, validForMs.min);

/**
 * Closes the account of a link that has ended before its time. A bank that cannot close accounts, or does not get this call, keeps it open. Money
 * that arrives then is late or a duplicate, and we have it sent back.
 */
export async function closeAtBank({ provider, providerReference }: Pick<LinkRow, "provider" | "providerReference">): Promise<void> {
  try {
    const bank = banks.named(provider);
    if (bank?.capabilities.canClose) await bank.closeAccount(providerReference);
  } catch (error) {
    log().warn({ provider, providerReference, err: error }, "a bank could not be told that a link has ended before its time");
  }
}

/** Asks a bank to send a kept transfer back. `impossible`: it does that for nobody. */
export const returnAtBank = async (
  bank: Bank,
  { sessionId, accountReference, amount, currency }: TransferRow,
): Promise<ReturnOutcome | "impossible"> =>
  bank.capabilities.canReturn ? bank.returnTransfer({ sessionId, accountReference, amount: money(amount, currency) }) : "impossible";
