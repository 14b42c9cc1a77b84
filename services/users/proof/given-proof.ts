import { invalid } from "#lib/problem.ts";
import { flawOf, type GivenProof } from "../contract.ts";
import type { PasskeyProof } from "./prove-by-passkey.ts";

interface PasswordProof {
  password: string;
  /** A code of the authenticator app, or a recovery code. */
  code?: string | undefined;
}

/** Returns the one proof that is given. Throws VALIDATION_ERROR for none, for half of one, and for two. */
export function proofIn(given: GivenProof): PasswordProof | PasskeyProof {
  const flaw = flawOf(given);
  if (flaw) throw invalid(flaw.param, flaw.message);
  const { password, code, challenge, response } = given;
  if (password !== undefined) return { password, code };
  if (challenge !== undefined && response !== undefined) return { challenge, response };
  throw new Error("a proof without a flaw is one of the two");
}
