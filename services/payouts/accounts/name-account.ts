import { invalid, Problem } from "#lib/problem.ts";
import type { AccountToPay, PayoutBank } from "#providers/payout-bank.ts";
import type { MerchantContext } from "../../context.ts";
import { payoutBanks } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { isNameOf } from "./is-name-of.ts";
import { listBanksAt } from "./list-banks.ts";

/** An account at a bank, with the name of its owner. */
export interface NamedAccount {
  bankName: string;
  accountName: string;
  /** Whether the owner's name is that of the business. */
  isBusiness: boolean;
}

/**
 * Asks an account's bank for the name of its owner. Throws VALIDATION_ERROR for a bank that is not listed and for a number without an account,
 * PROVIDER_UNAVAILABLE, and PROVIDER_ERROR where the bank does not answer.
 */
export const nameBankAccount = verb(
  { permission: "bank_accounts:write" },
  async (ctx: MerchantContext, account: AccountToPay): Promise<NamedAccount> => {
    const named = await readAccountName(payoutBanks.for(ctx.merchant), account);
    return { ...named, isBusiness: isNameOf(ctx.merchant.businessName, named.accountName) };
  },
);

/** Asks an account's bank for the name of its owner, through the bank that would pay to it. Throws as `nameBankAccount`. */
export async function readAccountName(
  payoutBank: PayoutBank,
  { bankCode, accountNumber }: AccountToPay,
): Promise<Omit<NamedAccount, "isBusiness">> {
  const bank = (await listBanksAt(payoutBank)).find(({ code }) => code === bankCode);
  if (!bank) throw invalid("bank_code", "Choose a bank of the list.");
  const named = await payoutBank.nameAccount({ bankCode, accountNumber });
  if (named.status === "not_found") throw invalid("account_number", `${bank.name} has no account with this number.`);
  if (named.status === "unknown") {
    throw new Problem("PROVIDER_ERROR", "The bank does not say whose account this is. Check bank and number, or try again in a minute.");
  }
  return { bankName: bank.name, accountName: named.found.accountName };
}
