import { setTimeout as wait } from "node:timers/promises";
import { sql } from "#db/client.ts";
import { type House, Refused } from "./house.ts";

/** Longer than the five seconds for which a caller waits. */
const HANG_MS = 6_000;
export const FAULTS = ["hang_before", "error_before", "hang_after", "error_after", "nonsense", "refuse"] as const;

/** Asks for a fault at the next operation of that kind: of one card (the issuer's name for it), or of any (`*`). */
export async function orderFault(
  house: House,
  { operation, card, fault }: { operation: string; card: string; fault: string },
): Promise<void> {
  await sql()`insert into sandbox.card_faults (house, operation, card, fault) values (${house}, ${operation}, ${card}, ${fault})`;
}

async function takeFault(house: House, operation: string, card: string): Promise<string | undefined> {
  const [row] = await sql()<{ fault: string }[]>`
    delete from sandbox.card_faults where id = (
      select id from sandbox.card_faults where house = ${house} and operation = ${operation} and card in (${card}, '*') order by id limit 1 for update skip locked)
    returning fault`;
  return row?.fault;
}

/** Answers as `run` does, or with the fault that somebody has ordered. */
export async function withFaults(house: House, operation: string, card: string, run: () => Promise<Response>): Promise<Response> {
  const fault = await takeFault(house, operation, card);
  if (fault === "refuse") throw new Refused("not_today");
  if (fault === "error_before") return Response.json({ error: "not up to it" }, { status: 503 });
  if (fault === "hang_before") {
    await wait(HANG_MS);
    return Response.json({ error: "too late" }, { status: 503 });
  }
  const answer = await run();
  if (fault === "hang_after") await wait(HANG_MS);
  if (fault === "error_after") return Response.json({ error: "something broke" }, { status: 500 });
  if (fault === "nonsense") return new Response("<html>502</html>");
  return answer;
}
