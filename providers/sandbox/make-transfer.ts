import type { Money } from "#lib/money.ts";
import type { Call } from "./signed-calls.ts";

/** A transfer of a payer. In test mode the API makes it. */
export interface PayersTransfer {
  accountNumber: string;
  amount: Money;
  senderName: string;
  /** Ten digits, whose end decides what becomes of refunds at `sandbox`. */
  senderAccount?: string | undefined;
  sessionId: string;
  /** Null means now. */
  madeAt: Date | null;
}

/** Returns the function by which the API plays payers at a test bank. It waits until the bank has sent its notice, where the bank sends one. */
export const makeTransferAt =
  (call: Call) =>
  async ({ accountNumber, amount, senderName, senderAccount, sessionId, madeAt }: PayersTransfer): Promise<"made" | "session taken"> => {
    const reply = await call("transfers", {
      session: sessionId,
      account_no: accountNumber,
      kobo: String(amount.minor),
      from: senderName,
      from_account: senderAccount ?? null,
      made_at: madeAt ? madeAt.toISOString() : null,
    });
    if (reply.status === 409) return "session taken";
    if (reply.status !== 200) throw new Error(`a test bank answered ${reply.status} to a transfer`);
    return "made";
  };
