import { log } from "#lib/log.ts";
import type { AccountHint, BankNotice } from "#providers/bank.ts";
import { alertOperators } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { readChanged } from "./read-accounts.ts";
import { takeNotice } from "./take-notice.ts";

/** Takes a bank's notice: a statement about a transfer is stored and processed, and a hint has the account read. Then it may be acknowledged. */
export const receiveNotice = verb(
  { actor: ["system"] },
  async (ctx: SystemContext, provider: string, notice: BankNotice | AccountHint): Promise<void> => {
    if (!("accountToRead" in notice)) return takeNotice(ctx, provider, notice);
    const isOurs = await readChanged(ctx, provider, notice.accountToRead);
    if (!isOurs) await tellOfUnknown(provider, notice.accountToRead);
  },
);

/** A bank may write any text as a reference. */
const MAX_REFERENCE = 100;

async function tellOfUnknown(provider: string, named: string): Promise<void> {
  const reference = named.slice(0, MAX_REFERENCE);
  log().warn({ provider, reference }, "a bank says that an account has changed which no link has");
  await alertOperators(modeOf(provider), {
    type: "bank_account.not_ours",
    resourceId: reference,
    cause: `${provider}:${reference}`,
    message: `${provider} says that something arrived at account ${reference}, and no link has it. Money of a payer may be there: ask the bank.`,
  });
}
