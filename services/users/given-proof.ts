import type { z } from "zod";
import { invalid } from "#lib/problem.ts";
import type { ProofOfChange } from "./contract.ts";
import type { PasskeyProof } from "./prove-by-passkey.ts";

/** What a request says to prove who sends it. */
export type GivenProof = z.output<typeof ProofOfChange>;

interface PasswordProof {
  password: string;
  /** Of the authenticator app, or a recovery code. */
  code?: string | undefined;
}

/** Returns the one proof that is given. Throws VALIDATION_ERROR for none, for half of one, and for two. */
export function proofIn({ password, code, challenge, response }: GivenProof): PasswordProof | PasskeyProof {
  const hasPasskey = challenge !== undefined || response !== undefined;
  if (password !== undefined && hasPasskey) throw invalid("password", "Send your password or a passkey's answer, not both.");
  if (password !== undefined) return { password, code };
  if (!hasPasskey) throw invalid("password", "Type your password, or use a passkey.");
  if (challenge === undefined) throw invalid("challenge", "Send the challenge that the passkey has signed.");
  if (response === undefined) throw invalid("response", "Send the passkey's answer.");
  if (code !== undefined) throw invalid("code", "Send a code beside your password only.");
  return { challenge, response };
}
