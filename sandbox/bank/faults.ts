import { z } from "zod";
import { sql } from "#db/client.ts";

const Fault = z.object({
  reference: z.string().default("*"),
  fault: z.enum(["hang_before", "hang_after", "error_after", "nonsense", "refuse"]),
});

/** Longer than a caller's timeout of five seconds. */
const HANG_MS = 6_000;
export const hang = () => new Promise((resolve) => setTimeout(resolve, HANG_MS));

/** Stores an ordered fault for the next opening of an account, of one reference or of any ("*"). */
export async function orderFault(body: unknown): Promise<void> {
  const { reference, fault } = Fault.parse(body);
  await sql()`insert into sandbox.bank_faults (reference, fault) values (${reference}, ${fault})`;
}

/** Returns the oldest ordered fault of these references, and forgets it. */
export async function takeFault(references: string[]): Promise<string | undefined> {
  const [row] = await sql()<{ fault: string }[]>`
    delete from sandbox.bank_faults where id = (
      select id from sandbox.bank_faults where reference = any(${references}) order by id limit 1 for update skip locked)
    returning fault`;
  return row?.fault;
}
