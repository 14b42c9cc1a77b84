import { transaction } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { Problem } from "#lib/problem.ts";
import type { OperatorContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { endRemovalBySignIn } from "../factors/factor-removals.ts";
import { acceptCode } from "../factors/factors.ts";
import { findUserByEmail, lockUser } from "../rows.ts";
import { normalEmail } from "../user.ts";
import { attempt } from "./tries.ts";

/** Tries at the command line count for these. As a device it has tries of its own, which strangers who guess at the sign-in page cannot use up. */
const THIS_MACHINE = "127.0.0.1";
const COMMAND_LINE = "command-line";

/**
 * Proves at the command line who a person is: by a code of the authenticator app or a recovery code, which is used up. Tries are counted as those of a
 * known device. Returns the id of the user, or undefined for a wrong or used code and for an unknown person. Throws RATE_LIMITED after too many failures.
 */
export const proveByCode = verb(
  { actor: ["operator"], operatorRole: "viewer" },
  async (_ctx: OperatorContext, { email, code }: { email: string; code: string }): Promise<string | undefined> => {
    const tried = await attempt({ email: normalEmail(email), address: THIS_MACHINE, device: COMMAND_LINE });
    if (tried.status === "blocked") throw new Problem("RATE_LIMITED", `There were too many wrong codes. Wait ${tried.waitSeconds} s.`);
    const user = await findUserByEmail(email);
    const isRight =
      user !== undefined &&
      (await transaction(async (tx) => {
        const locked = await lockUser(tx, user.id);
        if (!(await acceptCode(tx, user.id, code))) return false;
        await endRemovalBySignIn(tx, { actor: { type: "operator", id: user.id }, requestId: null, address: null }, locked);
        return true;
      }));
    if (!isRight) log().info({ userId: user?.id }, "a code at the command line was wrong");
    if (isRight) await tried.succeed();
    return isRight ? user.id : undefined;
  },
);
