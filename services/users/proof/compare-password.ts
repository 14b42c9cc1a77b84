import { type Asker, checkPassword } from "#lib/passwords.ts";
import type { AllowedAttempt } from "./tries.ts";

interface Comparison {
  password: string;
  passwordHash: string;
  asker: Asker;
}

/**
 * Compares the password of a try that was allowed, as `checkPassword` does. The try stays counted: the caller knows whether another proof is due
 * after a right password. An attempt that was not checked, because too many wait, is not counted: it was not the person's failure.
 */
export async function comparePassword(
  tried: AllowedAttempt,
  { password, passwordHash, asker }: Comparison,
): ReturnType<typeof checkPassword> {
  try {
    return await checkPassword(password, passwordHash, asker);
  } catch (error) {
    await tried.uncount();
    throw error;
  }
}
