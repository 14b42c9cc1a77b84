import { and, eq, isNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { bankAccounts } from "#db/schema/payouts.ts";
import { settings } from "#lib/env.ts";
import { newId } from "#lib/ids.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { noteInAudit } from "../../audit/index.ts";
import { type MerchantContext, madeBy } from "../../context.ts";
import { markExecuted } from "../../idempotency/index.ts";
import { queueMail } from "../../mails/index.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { payoutBanks } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { type BankAccount, type BankAccountRow, bankAccountFromRow, maskedNumber } from "../bank-account.ts";
import { lockMerchant } from "../rows.ts";
import { WAIT_MS } from "../schedule.ts";
import { type NamedAccount, nameBankAccount } from "./name-account.ts";
import { ownersOfLately } from "./owners.ts";
import { removalToken } from "./removal-link.ts";

const MAX_ACCOUNTS = 20;

export interface NewBankAccount {
  bankCode: string;
  accountNumber: string;
  /** The owner, as the person who adds it was shown. */
  accountName: string;
}

/**
 * Adds an account of the merchant. Its bank is asked for the owner again. In test mode it can be used at once. In live mode it can be used after 24 h,
 * everyone who was an owner within the last 7 days gets a mail with a link that removes it, and a name that is not the business's waits for an
 * operator's decision. Throws as `nameBankAccount`, VERSION_CONFLICT for another owner than was shown, VALIDATION_ERROR for an account that is there
 * and beyond 20 accounts, and in live mode PERMISSION_DENIED while the member is restricted.
 */
export const addBankAccount = verb(
  { permission: "bank_accounts:write", proof: "manage_payouts", proofOnlyInLive: true, withSecondFactor: true },
  async (ctx: MerchantContext, account: NewBankAccount): Promise<BankAccount> => {
    await requireUnrestrictedInLive(ctx);
    const { merchant } = ctx;
    const { name: provider } = payoutBanks.for(merchant);
    const named = await nameBankAccount(ctx, account);
    if (named.accountName !== account.accountName) {
      throw new Problem("VERSION_CONFLICT", "The bank tells another owner of this account now. Check it again.");
    }
    return transaction(async (tx) => {
      await markExecuted(tx, ctx);
      await lockMerchant(tx, merchant.id);
      await requireUnrestrictedInLive(ctx, tx);
      await requireNew(tx, merchant.id, { provider, ...account });
      const row = await insert(tx, ctx, { ...account, ...named, provider });
      if (merchant.mode === "live") await tellOwners(tx, ctx, row);
      await noteInAudit(tx, ctx, {
        ...{ merchantId: merchant.id, action: "bank_account.added", subject: row.id },
        after: { bank: row.bankName, number: maskedNumber(row.accountNumber), name: row.accountName, awaits_decision: row.awaitsDecision },
      });
      return bankAccountFromRow(row);
    });
  },
);

type Known = Pick<BankAccountRow, "provider" | "bankCode" | "accountNumber">;

async function requireNew(tx: Tx, merchantId: string, { provider, bankCode, accountNumber }: Known): Promise<void> {
  const isThere = and(eq(bankAccounts.merchantId, merchantId), isNull(bankAccounts.removedAt));
  const rows = await tx.select().from(bankAccounts).where(isThere);
  const isSame = (row: BankAccountRow) => row.provider === provider && row.bankCode === bankCode && row.accountNumber === accountNumber;
  if (rows.some(isSame)) throw invalid("account_number", "You have this account already.");
  if (rows.length >= MAX_ACCOUNTS)
    throw invalid("account_number", `You have ${MAX_ACCOUNTS} accounts, which is the most. Remove one first.`);
}

async function insert(tx: Tx, ctx: MerchantContext, account: Known & NamedAccount): Promise<BankAccountRow> {
  const { provider, bankCode, accountNumber, bankName, accountName, isBusiness } = account;
  const isLive = ctx.merchant.mode === "live";
  const [row] = await tx
    .insert(bankAccounts)
    .values({
      ...{
        merchantId: ctx.merchant.id,
        id: ctx.resourceId ?? newId("bankAccount"),
        provider,
        bankCode,
        bankName,
        accountNumber,
        accountName,
      },
      usableAt: isLive ? sql`now() + ${WAIT_MS} * interval '1 ms'` : sql`date_trunc('milliseconds', now())`,
      awaitsDecision: isLive && !isBusiness,
      madeBy: madeBy(ctx),
    })
    .returning();
  if (!row) throw new Error("an insert without a conflict returned no row");
  return row;
}

async function tellOwners(tx: Tx, ctx: MerchantContext, row: BankAccountRow): Promise<void> {
  const { bankName, accountName, usableAt } = row;
  const number = row.accountNumber.slice(-4);
  const removeLink = `${settings().DASHBOARD_URL}/not-our-account?token=${removalToken(row)}`;
  for (const { email, name } of await ownersOfLately(tx, ctx.merchant.businessId)) {
    const words = { name, business: ctx.merchant.businessName, bankName, number, accountName, usableAt, removeLink };
    await queueMail(tx, ctx, { to: email, kind: "bank_account_added", words });
  }
}
