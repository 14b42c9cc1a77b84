import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { passkeys } from "#db/schema/two-factor.ts";
import { notFound } from "#lib/problem.ts";
import type { MemberContext } from "../../context.ts";
import { type Passkey, passkeyFromRow } from "../factors/passkey.ts";

/** Returns a passkey of the member who asks. Throws RESOURCE_NOT_FOUND for any other. */
export async function getPasskey({ actor }: MemberContext, id: string): Promise<Passkey> {
  const [row] = await db()
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, actor.id)));
  if (!row) throw notFound("passkey");
  return passkeyFromRow(row);
}
