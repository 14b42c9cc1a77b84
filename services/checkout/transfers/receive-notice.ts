import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import type { AccountHint, BankNotice } from "#providers/bank.ts";
import { alertOperators } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { banks, modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { claimDue, readOrLog } from "./read-accounts.ts";
import { takeNotice } from "./take-notice.ts";

/** Takes a bank's notice: a statement about a transfer is stored and processed, and a hint has the account read. Then it may be acknowledged. */
export const receiveNotice = verb(
  { actor: ["system"] },
  async (ctx: SystemContext, provider: string, notice: BankNotice | AccountHint | "irrelevant"): Promise<void> => {
    if (notice === "irrelevant") return;
    if ("accountToRead" in notice) return readHinted(ctx, provider, notice.accountToRead);
    await takeNotice(ctx, provider, notice);
  },
);

/** Makes the account due, which is stored, and reads it at once. If that fails, the sweep reads it. */
async function readHinted(ctx: SystemContext, provider: string, reference: string): Promise<void> {
  const known = await sql()`
    update one_time_accounts set next_read_at = date_trunc('milliseconds', now())
    where provider = ${provider} and account_reference = ${reference} returning 1`;
  if (known.length === 0) return tellOfUnknown(provider, reference);
  const bank = banks.named(provider);
  const [claimed] = await claimDue(provider, reference);
  if (bank && claimed) await readOrLog(ctx, bank, claimed, true);
}

async function tellOfUnknown(provider: string, reference: string): Promise<void> {
  log().warn({ provider, reference }, "a bank says that an account has changed which no link has");
  await alertOperators(modeOf(provider), {
    type: "bank_account.not_ours",
    resourceId: reference.slice(0, 100),
    cause: `${provider}:${reference}`,
    message: `${provider} says that something arrived at account ${reference.slice(0, 100)}, and no link has it. Money of a payer may be there: ask the bank.`,
  });
}
