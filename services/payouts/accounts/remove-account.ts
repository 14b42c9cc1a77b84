import { and, isNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { bankAccounts } from "#db/schema/payouts.ts";
import { notFound } from "#lib/problem.ts";
import { DAY_MS } from "#lib/time.ts";
import { type AuditedFields, noteInAudit } from "../../audit/index.ts";
import { type Context, type MerchantContext, madeBy } from "../../context.ts";
import { markExecuted } from "../../idempotency/index.ts";
import { verb } from "../../verb.ts";
import { type BankAccountRow, maskedNumber } from "../bank-account.ts";
import { isBankAccount, lockMerchant } from "../rows.ts";
import { findAccountRow } from "./list-accounts.ts";
import { accountOfToken } from "./removal-link.ts";

/** Removes an account of the merchant: no payout goes to it any more. Removing it again changes nothing. Throws RESOURCE_NOT_FOUND. */
export const removeBankAccount = verb({ permission: "bank_accounts:write" }, async (ctx: MerchantContext, id: string): Promise<void> => {
  const key = { merchantId: ctx.merchant.id, id };
  if (!(await findAccountRow(key))) throw notFound("bank account");
  await transaction(async (tx) => {
    await markExecuted(tx, ctx);
    await remove(tx, ctx, key);
  });
});

/**
 * Removes an account by the link of the mail that told of it. Anybody who has the link may use it. Returns `unknown` for a text that is no token of ours or names an account
 * that was added more than 30 days ago.
 */
export const removeBankAccountByLink = verb(
  { actor: ["anyone"] },
  async (ctx: Context, token: string): Promise<{ status: "removed"; account: LinkedAccount } | { status: "unknown" }> => {
    const row = await findRowOfLink(token);
    if (!row) return { status: "unknown" };
    await transaction((tx) => remove(tx, ctx, row, { by: "the link of a mail" }));
    return { status: "removed", account: linked(row) };
  },
);

/** As much of an account as the page of a link shows. */
export interface LinkedAccount extends Pick<BankAccountRow, "bankName" | "accountName"> {
  /** The last four digits. */
  number: string;
  isRemoved: boolean;
}

const linked = ({ bankName, accountName, accountNumber, removedAt }: BankAccountRow): LinkedAccount => ({
  ...{ bankName, accountName, number: accountNumber.slice(-4), isRemoved: removedAt !== null },
});

/** Returns the account that the link of a mail names. */
export async function findAccountOfLink(token: string): Promise<LinkedAccount | undefined> {
  const row = await findRowOfLink(token);
  return row && linked(row);
}

/** As long as a mail that tells of a change can undo it. */
const LINK_WORKS_FOR_MS = 30 * DAY_MS;

async function findRowOfLink(token: string): Promise<BankAccountRow | undefined> {
  const key = accountOfToken(token);
  const row = key && (await findAccountRow(key));
  return row && row.createdAt.getTime() > Date.now() - LINK_WORKS_FOR_MS ? row : undefined;
}

async function remove(
  tx: Tx,
  ctx: Context,
  key: Pick<BankAccountRow, "merchantId" | "id">,
  after: AuditedFields | null = null,
): Promise<void> {
  await lockMerchant(tx, key.merchantId);
  const [removed] = await tx
    .update(bankAccounts)
    .set({ removedAt: sql`now()`, removedBy: madeBy(ctx) })
    .where(and(isBankAccount(key), isNull(bankAccounts.removedAt)))
    .returning();
  if (!removed) return;
  await noteInAudit(tx, ctx, {
    ...{ merchantId: key.merchantId, action: "bank_account.removed", subject: key.id, after },
    before: { bank: removed.bankName, number: maskedNumber(removed.accountNumber), name: removed.accountName },
  });
}
