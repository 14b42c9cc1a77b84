import { z } from "zod";
import { sql } from "#db/client.ts";
import { answerSignedCall, type Operation } from "../signed-call.ts";
import { closeAccount, describeAccount, findAccount, openAccount } from "./accounts.ts";
import { listTransfers, recallTransfer, returnTransfer, SessionTaken, takeTransfer } from "./transfers.ts";

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
  made_at: z.iso.datetime().nullable(),
  /** None: the notice is lost. */
  copies: z.number().int().min(0).max(20).default(1),
  delay_ms: z.number().int().min(0).max(600_000).default(0),
});

const Fault = z.object({
  reference: z.string().default("*"),
  fault: z.enum(["hang_before", "hang_after", "error_after", "nonsense", "refuse"]),
});

/** Longer than a caller's timeout of five seconds. */
const HANG_MS = 6_000;
const hang = () => new Promise((resolve) => setTimeout(resolve, HANG_MS));

const operations: Record<string, Operation> = {
  async accounts(body) {
    const request = OpenAccount.parse(body);
    const fault = await takeFault([request.reference, "*"]);
    if (fault === "hang_before") {
      await hang();
      return Response.json({ error: "too late" }, { status: 503 });
    }
    if (fault === "refuse") return Response.json({ error: "not today" }, { status: 422 });
    const account = await openAccount({
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
    const account = await findAccount(reference);
    if (!account) return Response.json({ error: "no such account", reference }, { status: 404 });
    return Response.json({ reference, account_no: account.accountNumber, transfers: await listTransfers(account.accountNumber) });
  },
  async close(body) {
    await closeAccount(z.object({ reference: z.string() }).parse(body).reference);
    return Response.json({});
  },
  async transfers(body) {
    const { session, account_no, kobo: amount, from, made_at, copies, delay_ms } = Transfer.parse(body);
    await takeTransfer({
      session,
      accountNumber: account_no,
      kobo: amount,
      from,
      madeAt: made_at ? new Date(made_at) : null,
      faults: { copies, delayMs: delay_ms },
    });
    return Response.json({});
  },
  async returns(body) {
    const { session } = z.object({ session: z.string() }).parse(body);
    return (await returnTransfer(session)) ? Response.json({ session }) : Response.json({ error: "no such transfer" }, { status: 404 });
  },
  async recalls(body) {
    const { session } = z.object({ session: z.string() }).parse(body);
    return (await recallTransfer(session)) ? Response.json({ session }) : Response.json({ error: "no such transfer" }, { status: 404 });
  },
  /** Orders a fault for the next opening of an account, of one reference or of any ("*"). */
  async faults(body) {
    const { reference, fault } = Fault.parse(body);
    await sql()`insert into sandbox.bank_faults (reference, fault) values (${reference}, ${fault})`;
    return Response.json({});
  },
};

async function takeFault(references: string[]): Promise<string | undefined> {
  const [row] = await sql()<{ fault: string }[]>`
    delete from sandbox.bank_faults where id = (
      select id from sandbox.bank_faults where reference = any(${references}) order by id limit 1 for update skip locked)
    returning fault`;
  return row?.fault;
}

/** Serves one call of the sandbox bank's API. */
export const answerBankCall = (name: string, request: Request): Promise<Response> =>
  answerSignedCall(operations, name, request, (error) =>
    error instanceof SessionTaken ? Response.json({ error: "another transfer has this session" }, { status: 409 }) : undefined,
  );
