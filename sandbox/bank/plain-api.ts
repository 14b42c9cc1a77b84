import { z } from "zod";
import { toMinorUnits } from "#lib/money.ts";
import { SECOND_MS } from "#lib/time.ts";
import { answerSignedCall, type Operation } from "../signed-call.ts";
import { findAccount, openAccount, type SandboxAccount } from "./accounts.ts";
import { makeTransfer, refusalOf } from "./api.ts";
import { SANDBOX_BANK_NAME } from "./nuban.ts";
import { plainPayoutOperations } from "./plain-payout-operations.ts";
import { findTransfer, isTold, listTransfers, returnTransfer, type TransferRow } from "./transfers.ts";

// The second bank differs from the first in everything that an adapter must handle. It opens one account for a reference and does not tell its
// number again, names the account itself, cannot close it, and counts Naira. Its notices say only that an account has changed. It sends late and
// second money back without a word, and carries out a return after the order.
const HOUSE = "sandbox-plain";
const HOLDER = "PLAIN BANK CHECKOUT";
const MAX_NAIRA = 5_000_000;

const text = z.string().min(1).max(200);
const naira = z
  .number()
  .positive()
  .max(100_000_000)
  .refine((amount) => toMinorUnits(amount) !== undefined);

const NewAccount = z.object({
  ref: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  amount_naira: naira.max(MAX_NAIRA),
  minutes: z.number().int().min(15).max(480),
  customer: z.object({ name: text, email: z.email() }),
});
const ByRef = z.object({ ref: text });
const Refund = z.object({ movement_id: text, amount_naira: naira });

const toNaira = (minor: bigint) => Number(minor) / 100;

const describeAccount = ({ reference, accountNumber, kobo }: SandboxAccount) => ({
  ref: reference,
  number: accountNumber,
  holder: HOLDER,
  bank_label: SANDBOX_BANK_NAME,
  amount_naira: toNaira(kobo),
});

const STATES = { underpaid: "TOO_LITTLE", overpaid: "TOO_MUCH", recalled: "TAKEN_BACK", late: "", duplicate: "" };

const describeMovement = ({ session_id, amount, made_at, rejection, returned_at }: TransferRow) => ({
  movement_id: session_id,
  amount_naira: toNaira(amount).toFixed(2),
  epoch_s: Math.ceil(new Date(made_at).getTime() / SECOND_MS),
  state: rejection === null ? (returned_at === null ? "KEPT" : "TAKEN_BACK") : STATES[rejection],
});

/** Senders to whom the bank cannot return money: by name, so that anyone can play them. */
const UNRETURNABLE: Record<string, string> = { "Closed Account": "FAILED", "Unknown Account": "DETAILS_WANTED" };

const operations: Record<string, Operation> = {
  async open(body) {
    const { ref, amount_naira, minutes, customer: _ } = NewAccount.parse(body);
    const { account, isNew } = await openAccount({
      house: HOUSE,
      reference: ref,
      kobo: String(toMinorUnits(amount_naira)),
      title: HOLDER,
      validForMs: minutes * 60 * SECOND_MS,
    });
    return isNew ? Response.json(describeAccount(account)) : Response.json({ error: "REF_USED", ref }, { status: 409 });
  },
  async ping() {
    return Response.json({ open: true });
  },
  async movements(body) {
    const { ref } = ByRef.parse(body);
    const account = await findAccount(HOUSE, ref);
    if (!account) return Response.json({ error: "NO_REF", ref }, { status: 404 });
    const transfers = await listTransfers(account.accountNumber);
    return Response.json({ ref, movements: transfers.filter(isTold).map(describeMovement) });
  },
  async refund(body) {
    const { movement_id, amount_naira } = Refund.parse(body);
    const transfer = await findTransfer(HOUSE, movement_id);
    if (!transfer) return Response.json({ error: "NO_MOVEMENT", movement_id }, { status: 404 });
    const problem = UNRETURNABLE[transfer.sender_name];
    if (problem) return Response.json({ movement_id, amount_naira, refund: problem });
    await returnTransfer(HOUSE, movement_id);
    return Response.json({ movement_id, amount_naira, refund: transfer.returned_at === null ? "QUEUED" : "DONE" });
  },
  /** The act of a payer, which is no part of the bank's own API. */
  transfers: makeTransfer,
};

/** Serves one call of the second sandbox bank's API. */
export const answerPlainBankCall = (name: string, request: Request): Promise<Response> =>
  answerSignedCall({ ...operations, ...plainPayoutOperations }, name, request, refusalOf);
