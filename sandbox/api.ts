import { z } from "zod";
import { sql } from "#db/client.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { isSigned } from "#lib/signature.ts";
import { closeAccount, describeAccount, openAccount, returnTransfer, SessionTaken, takeTransfer } from "./bank.ts";

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
  copies: z.number().int().min(1).max(20).default(1),
  delay_ms: z.number().int().min(0).max(600_000).default(0),
});

const Fault = z.object({
  reference: z.string().default("*"),
  fault: z.enum(["hang_before", "hang_after", "error_after", "nonsense", "refuse"]),
});

/** Longer than the five seconds for which a caller waits. */
const HANG_MS = 6_000;
const hang = () => new Promise((resolve) => setTimeout(resolve, HANG_MS));

type Operation = (body: unknown) => Promise<Response>;

const operations: Record<string, Operation> = {
  async accounts(body) {
    const request = OpenAccount.parse(body);
    const fault = await takeFault(request.reference);
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
    const known = await returnTransfer(z.object({ session: z.string() }).parse(body).session);
    return known ? Response.json({}) : Response.json({ error: "no such transfer" }, { status: 404 });
  },
  /** Asks for a fault at the next opening of an account: of one reference, or of any ("*"). */
  async faults(body) {
    const { reference, fault } = Fault.parse(body);
    await sql()`insert into sandbox.bank_faults (reference, fault) values (${reference}, ${fault})`;
    return Response.json({});
  },
};

async function takeFault(reference: string): Promise<string | undefined> {
  const [row] = await sql()<{ fault: string }[]>`
    delete from sandbox.bank_faults where id = (
      select id from sandbox.bank_faults where reference in (${reference}, '*') order by id limit 1 for update skip locked)
    returning fault`;
  return row?.fault;
}

const MOST_BYTES = 64 * 1024;

/** One call of the sandbox bank's API: signed by its customer, as a real bank would ask. */
export async function answerBankCall(name: string, request: Request): Promise<Response> {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) return Response.json({ error: "no such operation" }, { status: 404 });
  const bytes = await readAtMost(request, MOST_BYTES);
  if (!bytes) return Response.json({ error: "too large" }, { status: 413 });
  const body = new TextDecoder().decode(bytes);
  if (!isSigned(sandboxRequestSecret(), body, request.headers.get("x-sandbox-signature"))) {
    return Response.json({ error: "bad signature" }, { status: 401 });
  }
  try {
    return await operation(JSON.parse(body));
  } catch (error) {
    if (error instanceof SessionTaken) return Response.json({ error: "another transfer has this session" }, { status: 409 });
    if (error instanceof z.ZodError) return Response.json({ error: "bad request" }, { status: 422 });
    throw error;
  }
}
