import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { sql } from "#db/client.ts";

/** Longer than a caller's timeout of five seconds. */
export const HANG_MS = 6_000;
export const FAULTS = ["hang_before", "error_before", "hang_after", "error_after", "nonsense", "unknown_word", "refuse"] as const;

export const FaultOrder = z.object({
  operation: z.string().min(1).max(200),
  /** A card (by the issuer's id), a recipient or an account; `*` for any. */
  subject: z.string().min(1).max(200).default("*"),
  fault: z.enum(FAULTS),
});
export type FaultOrder = z.output<typeof FaultOrder>;

/** Orders a fault for the next operation of a kind. */
export async function orderFault(provider: string, { operation, subject, fault }: FaultOrder): Promise<void> {
  await sql()`insert into sandbox.provider_faults (house, operation, subject, fault) values (${provider}, ${operation}, ${subject}, ${fault})`;
}

async function takeFault(provider: string, operation: string, subject: string): Promise<string | undefined> {
  const [row] = await sql()<{ fault: string }[]>`
    delete from sandbox.provider_faults where id = (
      select id from sandbox.provider_faults where house = ${provider} and operation = ${operation} and subject in (${subject}, '*')
      order by id limit 1 for update skip locked)
    returning fault`;
  return row?.fault;
}

interface Answers {
  run: () => Promise<Response>;
  refuse: () => Response;
  /** Returns an answer with a status that no adapter knows. */
  confuse?: (body: Record<string, unknown>) => Record<string, unknown>;
}

const withUnknownState = (body: Record<string, unknown>) => ({ ...body, state: "pondering" });

/** Returns the answer of `run`, unless a fault is ordered. */
export async function withFaults(
  provider: string,
  operation: string,
  subject: string,
  { run, refuse, confuse = withUnknownState }: Answers,
): Promise<Response> {
  const fault = await takeFault(provider, operation, subject);
  if (fault === "refuse") return refuse();
  if (fault === "error_before") return Response.json({ error: "not up to it" }, { status: 503 });
  if (fault === "hang_before") {
    await wait(HANG_MS);
    return Response.json({ error: "too late" }, { status: 503 });
  }
  const answer = await run();
  if (fault === "hang_after") await wait(HANG_MS);
  if (fault === "error_after") return Response.json({ error: "something broke" }, { status: 500 });
  if (fault === "nonsense") return new Response("<html>502</html>");
  if (fault === "unknown_word") return Response.json(confuse(await answer.json()));
  return answer;
}
