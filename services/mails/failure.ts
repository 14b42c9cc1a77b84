/**
 * Why an attempt failed. `refused`: the server refuses this recipient or this mail for good. `deferred`: it refuses for now. `sign_in`: it
 * refuses our user or password. `rejected`: it refuses us, or the sender. `link_ended`: the mail is too late to be of use. `unreadable`: its
 * body was sealed with another key.
 */
export type FailureClass =
  | "refused"
  | "deferred"
  | "rejected"
  | "sign_in"
  | "unreachable"
  | "timeout"
  | "tls"
  | "unreadable"
  | "link_ended"
  | "unknown";

const CLASSES = new Map<unknown, FailureClass>([
  ["EAUTH", "sign_in"],
  ["ENOAUTH", "sign_in"],
  ["ETLS", "tls"],
  ["EABORT", "timeout"],
  ["ETIMEDOUT", "timeout"],
  ["EDNS", "unreachable"],
  ["ESOCKET", "unreachable"],
  ["ECONNECTION", "unreachable"],
]);

/** A refusal after one of these commands is about the recipient or the mail. After any other it is about us, and operators can fix that. */
const ABOUT_THE_MAIL = new Set<unknown>(["RCPT TO", "DATA"]);

/** Returns the class of an error of the transport. The message is not kept, because servers repeat addresses and parts of bodies in it. */
export function failureClassOf(error: unknown): FailureClass {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "CannotOpen") return "unreadable";
  const { code, command, responseCode, permanent }: Partial<Record<string, unknown>> = { ...error };
  const known = CLASSES.get(code);
  // A server may answer, and then close the connection: the answer counts.
  if (typeof responseCode !== "number" || known === "sign_in") return known ?? "unknown";
  if (permanent !== true) return "deferred";
  return ABOUT_THE_MAIL.has(command) ? "refused" : "rejected";
}

/** Returns whether another attempt cannot end better. */
export const isFinal = (failure: FailureClass): boolean => failure === "refused" || failure === "link_ended";
