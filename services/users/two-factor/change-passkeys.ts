import { and, eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { passkeys } from "#db/schema/two-factor.ts";
import { notFound, Problem } from "#lib/problem.ts";
import { DAY_MS } from "#lib/time.ts";
import type { MemberContext } from "../../context.ts";
import { countQueued } from "../../mails/index.ts";
import { verb } from "../../verb.ts";
import type { GivenProof } from "../contract.ts";
import { dropUnusableCodes } from "../factors/factors.ts";
import { type Passkey, passkeyFromRow } from "../factors/passkey.ts";
import { noteChange } from "../factors/second-factor-changed.ts";
import { changeWithAnyProof } from "../proof/prove-again.ts";
import { lockUser } from "../rows.ts";
import type { UserRow } from "../user.ts";

const isOwn = ({ actor }: MemberContext, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, actor.id));

/** The most mails about factors within a day. Renaming needs no proof, so this limit stops a stranger who has the session. */
const MAX_MAILS_A_DAY = 20;

/**
 * Gives a passkey of the member another name, and tells the member by mail. It gives no rights, but with swapped names a stranger could make the
 * owner remove the wrong passkey. The same name again changes nothing. Throws RESOURCE_NOT_FOUND for any other passkey, and RATE_LIMITED after 20 mails
 * about factors within a day.
 */
export const renamePasskey = verb({ permission: "self" }, async (ctx: MemberContext, id: string, given: string): Promise<Passkey> => {
  const name = given.trim();
  return transaction(async (tx) => {
    const user = await lockUser(tx, ctx.actor.id);
    const [before] = await tx.select().from(passkeys).where(isOwn(ctx, id));
    if (!before) throw notFound("passkey");
    if (before.name === name) return passkeyFromRow(before);
    await requireRoom(tx, user);
    const [row] = await tx.update(passkeys).set({ name }).where(isOwn(ctx, id)).returning();
    if (!row) throw new Error(`passkey ${id} of a locked user was not found`);
    await noteChange(tx, ctx, user, "passkey_renamed");
    return passkeyFromRow(row);
  });
});

async function requireRoom(tx: Tx, { email }: UserRow): Promise<void> {
  if ((await countQueued(tx, { to: email, kinds: ["second_factor_changed"] }, DAY_MS)) < MAX_MAILS_A_DAY) return;
  throw new Problem("RATE_LIMITED", "Your passkeys were changed very often today. Rename this one tomorrow.", {
    headers: { "Retry-After": String(DAY_MS / 1_000) },
  });
}

/**
 * Removes a passkey of the member, who repeats the password with a code of the authenticator app or a recovery code, or proves by a passkey while no
 * app is on.
 * With the last second factor the recovery codes go too. Throws the errors of `changeWithAnyProof`, and RESOURCE_NOT_FOUND for any other passkey.
 */
export const removePasskey = verb({ permission: "self" }, async (ctx: MemberContext, id: string, proof: GivenProof): Promise<void> => {
  await changeWithAnyProof(ctx, "remove_passkey", "with_factor", proof, async (tx, user) => {
    const removed = await tx.delete(passkeys).where(isOwn(ctx, id)).returning({ id: passkeys.id });
    if (removed.length === 0) throw notFound("passkey");
    await dropUnusableCodes(tx, user.id);
    await noteChange(tx, ctx, user, "passkey_removed");
  });
});
