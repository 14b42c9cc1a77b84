import type { ErrorCode, FieldProblem } from "#lib/problem.ts";

/**
 * What a refusal means on a screen, where the API's message is written for programs. A code without an entry keeps the API's message.
 * `CODE.param` is for one field.
 */
const WORDS: Partial<Record<ErrorCode, string>> & Record<string, string> = {
  MISSING_CREDENTIALS: "Your session has ended. Sign in again: what you typed stays here.",
  INSUFFICIENT_BALANCE: "Your wallet does not cover this. Nothing was charged. Add money, then try again.",
  SERVICE_NOT_ENABLED: "This part of Oja is not switched on for your business.",
  MERCHANT_SUSPENDED: "Your business is suspended, so this cannot be changed. Write to support.",
  RESOURCE_NOT_FOUND: "This does not exist any more, or it belongs to another business.",
  CARD_FROZEN: "The card is frozen. Nothing was charged. Unfreeze it first.",
  CARD_TERMINATED: "The card is terminated. Nothing was charged.",
  CARDHOLDER_KYC_NOT_APPROVED: "The cardholder's identity is not approved yet.",
  INSUFFICIENT_CARD_BALANCE: "The card does not hold that much. Nothing was moved.",
  IDEMPOTENCY_KEY_REUSED: "This page has sent something else meanwhile. Reload it, and look whether it was done.",
  REQUEST_IN_PROGRESS: "Your first click is still being worked on. This page will tell you.",
  PROVIDER_UNAVAILABLE: "The provider cannot be reached just now. Nothing was charged. Try again in a few minutes.",
  RATE_LIMITED: "That was too much at once. Wait a moment, then try again.",
  INTERNAL_ERROR: "Something failed on our side.",
};

/** Returns what a refusal says on a screen. */
export const wordsOf = (code: ErrorCode, message: string): string => WORDS[code] ?? message;

/** The API says "Send …" to programs; a person types, and sends with a button. */
const SENDS = /^Send (?=a|an|at|one|text|the|\d)/;

/** Returns what is wrong with a field, for the person who filled it in. */
export const wordsOfField = ({ message }: FieldProblem): string => message.replace(SENDS, "Enter ");
