import type { PayoutOutcome } from "./payout-bank.ts";

/** An order did not leave, because a step before it failed. */
export class NotSent extends Error {
  override name = "NotSent";
}

/** The connection was refused, or the name of the host was not found. */
const NO_CONNECTION = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"];

/** Returns whether the provider did not get the request. After any other error it may have got it. */
export const wasNotSent = (error: unknown): boolean =>
  error instanceof NotSent || (error instanceof Error && "code" in error && NO_CONNECTION.includes(String(error.code)));

/** Returns the outcome of an order of a payout or a refund that got no answer. */
export const outcomeWithoutAnswer = (error: unknown): PayoutOutcome =>
  wasNotSent(error) ? { status: "failed", reason: "The bank could not be reached." } : { status: "unknown" };
