import { z } from "zod";
import { lagosDay } from "#lib/time.ts";
import { answerSignedCall, type Operation } from "../signed-call.ts";
import { closeAccount, describeAccount, findAccount, openAccount } from "./accounts.ts";
import { hang, orderFault, takeFault } from "./faults.ts";
import { payoutOperations } from "./payout-operations.ts";
import { refundOperations } from "./refund-operations.ts";
import { listMovements, listTransfers, noticeOf, recallTransfer, returnTransfer, SessionTaken, takeTransfer } from "./transfers.ts";

const kobo = z.string().regex(/^[1-9]\d{0,14}$/);

const OpenAccount = z.object({
  reference: z.string().min(1).max(100),
  kobo,
  title: z.string().min(1),
  valid_for_ms: z.number().int().positive(),
});

const Transfer = z.object({
  session: z.string().min(1).max(100),
  account_no: z.string(),
  kobo,
  from: z.string(),
  from_account: z
    .string()
    .regex(/^\d{10}$/)
    .nullable()
    .default(null),
  made_at: z.iso.datetime().nullable(),
  /** None: the notice is lost. */
  copies: z.number().int().min(0).max(20).default(1),
  delay_ms: z.number().int().min(0).max(600_000).default(0),
});

const HOUSE = "sandbox";

/** Makes the transfer of a payer at either bank. */
export async function makeTransfer(body: unknown): Promise<Response> {
  const { session, account_no, kobo: amount, from, from_account, made_at, copies, delay_ms } = Transfer.parse(body);
  await takeTransfer({
    session,
    accountNumber: account_no,
    kobo: amount,
    from,
    fromAccount: from_account,
    madeAt: made_at ? new Date(made_at) : null,
    faults: { copies, delayMs: delay_ms },
  });
  return Response.json({});
}

const operations: Record<string, Operation> = {
  async accounts(body) {
    const request = OpenAccount.parse(body);
    const fault = await takeFault([request.reference, "*"]);
    if (fault === "hang_before") {
      await hang();
      return Response.json({ error: "too late" }, { status: 503 });
    }
    if (fault === "refuse") return Response.json({ error: "not today" }, { status: 422 });
    const { account } = await openAccount({
      house: HOUSE,
      reference: request.reference,
      kobo: request.kobo,
      title: request.title,
      validForMs: request.valid_for_ms,
    });
    if (fault === "hang_after") await hang();
    if (fault === "error_after") return Response.json({ error: "something broke" }, { status: 500 });
    if (fault === "nonsense") return new Response("<html>502</html>");
    return Response.json(describeAccount(account));
  },
  /** A fault with the reference "health" makes one health check fail. */
  async health() {
    const fault = await takeFault(["health"]);
    if (fault === "hang_before") await hang();
    return fault ? Response.json({ error: "closed" }, { status: 503 }) : Response.json({});
  },
  async account(body) {
    const { reference } = z.object({ reference: z.string() }).parse(body);
    const account = await findAccount(HOUSE, reference);
    if (!account) return Response.json({ error: "no such account", reference }, { status: 404 });
    return Response.json({
      reference,
      account_no: account.accountNumber,
      transfers: (await listTransfers(account.accountNumber)).map(noticeOf),
    });
  },
  /** What moved on a day. Only a day that is over can be asked for. */
  async statement(body) {
    const { day } = z.object({ day: z.iso.date() }).parse(body);
    if (day >= lagosDay(new Date())) return Response.json({ error: "the day is not over" }, { status: 422 });
    return Response.json({ day, lines: await listMovements(HOUSE, day) });
  },
  async close(body) {
    await closeAccount(HOUSE, z.object({ reference: z.string() }).parse(body).reference);
    return Response.json({});
  },
  transfers: makeTransfer,
  async returns(body) {
    const { session } = z.object({ session: z.string() }).parse(body);
    return (await returnTransfer(HOUSE, session))
      ? Response.json({ session })
      : Response.json({ error: "no such transfer" }, { status: 404 });
  },
  async recalls(body) {
    const { session } = z.object({ session: z.string() }).parse(body);
    return (await recallTransfer(session)) ? Response.json({ session }) : Response.json({ error: "no such transfer" }, { status: 404 });
  },
  /** Orders a fault for the next opening of an account, of one reference or of any ("*"). */
  async faults(body) {
    await orderFault(body);
    return Response.json({});
  },
};

/** Serves one call of the sandbox bank's API. */
export const answerBankCall = (name: string, request: Request): Promise<Response> =>
  answerSignedCall({ ...operations, ...payoutOperations, ...refundOperations }, name, request, refusalOf);

/** Returns the answer of both banks to an error of their own. */
export const refusalOf = (error: unknown): Response | undefined =>
  error instanceof SessionTaken ? Response.json({ error: "another transfer has this session" }, { status: 409 }) : undefined;
