import { setTimeout as wait } from "node:timers/promises";
import { sql } from "#db/client.ts";

/** Longer than the five seconds for which a caller waits. */
export const HANG_MS = 6_000;
export const FAULTS = ["hang_before", "error_before", "hang_after", "error_after", "nonsense", "unknown_word", "refuse"] as const;

export interface FaultOrder {
  operation: string;
  /** One card (the issuer's name for it) or one recipient, or any: `*`. */
  subject: string;
  fault: (typeof FAULTS)[number];
}

/** Asks for a fault at the next operation of that kind. */
export async function orderFault(house: string, { operation, subject, fault }: FaultOrder): Promise<void> {
  await sql()`insert into sandbox.provider_faults (house, operation, subject, fault) values (${house}, ${operation}, ${subject}, ${fault})`;
}

async function takeFault(house: string, operation: string, subject: string): Promise<string | undefined> {
  const [row] = await sql()<{ fault: string }[]>`
    delete from sandbox.provider_faults where id = (
      select id from sandbox.provider_faults where house = ${house} and operation = ${operation} and subject in (${subject}, '*')
      order by id limit 1 for update skip locked)
    returning fault`;
  return row?.fault;
}

interface Answers {
  run: () => Promise<Response>;
  refuse: () => Response;
  /** What an answer looks like with a word in it that nobody knows. */
  confuse?: (body: Record<string, unknown>) => Record<string, unknown>;
}

const ponder = (body: Record<string, unknown>) => ({ ...body, state: "pondering" });

/** Returns what `run` returns, unless a fault is ordered. */
export async function withFaults(
  house: string,
  operation: string,
  subject: string,
  { run, refuse, confuse = ponder }: Answers,
): Promise<Response> {
  const fault = await takeFault(house, operation, subject);
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
