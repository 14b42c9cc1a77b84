import { transaction } from "#db/client.ts";
import type { MemberContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { endRemovalBySignIn } from "../factors/factor-removals.ts";
import { hasSecondFactor } from "../factors/factors.ts";
import { dropChallenges } from "../factors/passkey-challenges.ts";
import { plainDigits } from "../factors/plain-digits.ts";
import { renewCodes } from "../factors/recovery-codes.ts";
import { noteChange, requireVerified } from "../factors/second-factor-changed.ts";
import { acceptTotp, proofOfNewSecret } from "../factors/totp.ts";
import { afterFirstFactor, proofDue } from "../proof/first-factor.ts";
import { lockSelf } from "../proof/open-proofs.ts";
import { proveAgain, wrongCode } from "../proof/prove-again.ts";

const WRONG_FIRST_CODE = "This code is wrong. Check that the clock of your phone is right, and type the code that the app shows now.";

/**
 * Turns codes on by the first code of the secret that `beginTotp` made. Returns ten recovery codes, which are shown once. If it is the first
 * second factor, `afterFirstFactor` says what follows. Throws VALIDATION_ERROR for a wrong code, without such a secret, and where another factor
 * was added or removed since it was made; and RATE_LIMITED after too many or when too many wait.
 */
export const confirmTotp = verb(
  { permission: "self" },
  (ctx: MemberContext, code: string): Promise<string[]> =>
    proveAgain(ctx, async ({ user, tried }) => {
      requireVerified(user);
      const codes = await transaction(async (tx) => {
        const locked = await lockSelf(tx, ctx);
        const isFirst = !(await hasSecondFactor(user.id, tx));
        if ((await proofOfNewSecret(tx, user.id, ctx.sessionId)) !== proofDue(isFirst)) return undefined;
        if (!(await acceptTotp(tx, user.id, plainDigits(code), { confirm: true }))) return undefined;
        // Ends unfinished sign-ins, because they were begun with the password alone.
        await dropChallenges(tx, user.id);
        if (isFirst) await afterFirstFactor(tx, ctx, locked);
        else await endRemovalBySignIn(tx, ctx, locked);
        await noteChange(tx, ctx, locked, "totp_on");
        return renewCodes(tx, user.id);
      });
      if (!codes) throw wrongCode(ctx, WRONG_FIRST_CODE);
      await tried.succeed();
      return codes;
    }),
);
