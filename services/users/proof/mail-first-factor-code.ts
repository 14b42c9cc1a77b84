import type { Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { DAY_MS } from "#lib/time.ts";
import type { MemberContext } from "../../context.ts";
import { countQueued } from "../../mails/index.ts";
import { verb } from "../../verb.ts";
import { hasSecondFactor } from "../factors/factors.ts";
import { requireVerified } from "../factors/second-factor-changed.ts";
import { mailCode } from "../links.ts";
import type { UserRow } from "../user.ts";
import { issueMailedCode, MIN_BETWEEN_CODES_MS, wasCodeMailedJustNow } from "./mailed-codes.ts";
import { changeWithProof } from "./prove-again.ts";

const MAX_A_DAY = 6;

/**
 * Mails a code to a member without a second factor, to add the first one. So a person who only knows the password cannot add one. Throws
 * VALIDATION_ERROR for a wrong password and for a member who has a second factor, PERMISSION_DENIED before the email is verified, and
 * RATE_LIMITED for a second code within a minute, a seventh within a day, and after too many wrong passwords.
 */
export const mailFirstFactorCode = verb(
  { permission: "self" },
  (ctx: MemberContext, proof: { password: string }): Promise<void> =>
    changeWithProof(ctx, "never", proof, async (tx, user) => {
      requireVerified(user);
      if (await hasSecondFactor(user.id, tx))
        throw new Problem("VALIDATION_ERROR", "You have a second step already. Prove with it who you are.");
      await requireRoom(tx, user);
      const code = await issueMailedCode(tx, ctx);
      await mailCode(tx, ctx, user, code.replace(/(?=.{4}$)/, " "));
    }),
);

async function requireRoom(tx: Tx, { id, email }: UserRow): Promise<void> {
  if (await wasCodeMailedJustNow(tx, id)) {
    throw tooMany("A code was mailed a moment ago. Wait a minute, then ask for another one.", MIN_BETWEEN_CODES_MS);
  }
  if ((await countQueued(tx, { to: email, kinds: ["first_factor_code"] }, DAY_MS)) >= MAX_A_DAY) {
    throw tooMany(`${MAX_A_DAY} codes were mailed within a day. Ask again tomorrow.`, DAY_MS);
  }
}

const tooMany = (message: string, waitMs: number): Problem =>
  new Problem("RATE_LIMITED", message, { headers: { "Retry-After": String(waitMs / 1_000) } });
