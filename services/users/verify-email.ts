import { and, eq, isNull, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { log } from "#lib/log.ts";
import type { Context } from "../context.ts";
import { useToken } from "./tokens.ts";

/** Verifies the email of the user to whom a link was sent. It signs nobody in. Returns false for a link that is unknown, used or too old. */
export async function verifyEmail({ address }: Context, token: string): Promise<boolean> {
  return transaction(async (tx) => {
    const userId = await useToken(tx, "verify_email", token);
    if (userId === undefined) return false;
    await tx
      .update(users)
      .set({ emailVerifiedAt: sql`now()` })
      .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)));
    log().info({ userId, address }, "email verified");
    return true;
  });
}
