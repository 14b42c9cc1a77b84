import { setTimeout as wait } from "node:timers/promises";
import { clientsOf, type Flow, type Violation, type Waiting, type World } from "./flow.ts";

interface Patience {
  withinMs: number;
  /** Ends the leases of keys whose process is dead. Without it, the test checks that living processes end their own leases. */
  endsLeases: boolean;
}

/** Lets time pass until every request has an answer and nothing is in progress. Returns a violation if that takes too long. */
export async function settle(world: World, flows: Flow[], { withinMs, endsLeases }: Patience): Promise<Violation[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    // No request is in flight, so a key that is still running belongs to a dead process.
    if (endsLeases) await world.sql`update idempotency_keys set locked_until = now() - interval '1 second' where state = 'running'`;
    let open = 0;
    for (const client of world.merchants.flatMap(clientsOf)) open += await client.finish();
    for (const flow of flows) await flow.passTime(world);
    const waiting: string[] = [];
    for (const flow of flows) waiting.push(...textOf(await flow.waiting(world)));
    if (open === 0 && waiting.length === 0) return [];
    if (Date.now() > deadline) {
      const unanswered = world.merchants.flatMap(clientsOf).flatMap(({ operations }) => operations.filter(({ isOpen }) => isOpen));
      const requests = unanswered.map(({ path, lastReply }) => `${path} (${lastReply})`);
      return [`after ${withinMs / 1000} s ${open} requests are without an answer: ${requests}; and waiting: ${waiting.join(", ")}`];
    }
    await wait(500);
  }
}

const textOf = (waiting: Waiting): string[] =>
  Object.entries(waiting)
    .filter(([, count]) => count > 0n)
    .map(([kind, count]) => `${count} ${kind}`);
