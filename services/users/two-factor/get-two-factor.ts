import type { MemberContext } from "../../context.ts";
import { readFactors } from "../factors/factors.ts";
import { type Passkey, passkeyFromRow, passkeyRowsOf } from "../factors/passkey.ts";
import { countCodes } from "../factors/recovery-codes.ts";

/** The second factors of a person. */
export interface TwoFactor {
  /** Whether an authenticator app is asked for codes. */
  isTotpOn: boolean;
  recoveryCodesLeft: number;
  passkeys: Passkey[];
}

/** Returns the second factors of the member who asks. */
export async function getTwoFactor({ actor }: MemberContext): Promise<TwoFactor> {
  const { isTotpOn } = await readFactors(actor.id);
  return { isTotpOn, recoveryCodesLeft: await countCodes(actor.id), passkeys: (await passkeyRowsOf(actor.id)).map(passkeyFromRow) };
}
