import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhenResult } from "cockatiel";
import { log } from "#lib/log.ts";
import { NotSent } from "./not-sent.ts";

/** After so many calls in a row without an answer, a provider is not called for a while. Each process counts its own. */
const MAX_FAILURES = 5;
/** Then one call tries whether it answers again. Shorter than the time between two checks of a bank, each of which is such a try. */
const OPEN_FOR_MS = 10_000;

/** What a gateway says of a provider behind it. A provider's own 500 is about one request, which a merchant may have chosen, and holds no other back. */
const OF_GATEWAYS = [502, 503, 504];
const isOfGateway = (reply: unknown): boolean =>
  typeof reply === "object" && reply !== null && "status" in reply && OF_GATEWAYS.includes(Number(reply.status));

const newBreaker = (origin: string) => {
  const breaker = circuitBreaker(handleWhenResult(isOfGateway).orType(Error), {
    halfOpenAfter: OPEN_FOR_MS,
    breaker: new ConsecutiveBreaker(MAX_FAILURES),
  });
  breaker.onBreak(() => log().error({ origin }, "a provider does not answer, and is not called for ten seconds"));
  breaker.onReset(() => log().info({ origin }, "a provider answers again"));
  return breaker;
};

const breakers = new Map<string, ReturnType<typeof newBreaker>>();

/**
 * Calls a provider by its origin (`https://api.example.com`), unless its last calls had no answer that can be read: then rejects with `NotSent` at once, so that
 * nobody waits for a provider that is down, and no order leaves whose outcome would be unknown.
 */
export async function throughBreaker<Reply>(origin: string, call: () => Promise<Reply>): Promise<Reply> {
  const breaker = breakers.get(origin) ?? newBreaker(origin);
  breakers.set(origin, breaker);
  try {
    return await breaker.execute(call);
  } catch (error) {
    if (error instanceof BrokenCircuitError) throw new NotSent("the provider has not answered lately", { cause: error });
    throw error;
  }
}
