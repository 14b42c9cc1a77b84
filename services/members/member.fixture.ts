import { sql, transaction } from "#db/client.ts";
import { members, users } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import type { MemberContext, MerchantContext, Role } from "../context.ts";
import { anOperator } from "../merchants/merchant.fixture.ts";
import { beginSession } from "../sessions/index.ts";

export interface TestMember {
  userId: string;
  role: Role;
  sessionId: string;
  /** The text of the session's cookie. */
  token: string;
}

let made = 0;

/** Creates a person with a role in a business, who is signed in. */
export async function aMember(businessId: string, role: Role): Promise<TestMember> {
  const userId = newId("user");
  const email = `member-${process.pid}-${made++}@shop.example`;
  return transaction(async (tx) => {
    await tx.insert(users).values({ id: userId, email, name: "Bola Ade", passwordHash: "no password" });
    await tx.insert(members).values({ businessId, userId, role });
    const { session, token } = await beginSession(tx, anOperator, userId, "Test browser");
    return { userId, role, sessionId: session.id, token };
  });
}

/** Returns the context of a member's request in the merchant of `ctx`. */
export const asMember = (ctx: MerchantContext, { userId, role, sessionId }: TestMember): MemberContext => ({
  ...ctx,
  actor: { type: "member", id: userId },
  role,
  sessionId,
});

/** Returns the cookie's text of another session of a member. A test that opens many pages at once takes one for each page, because a session is limited. */
export async function tokenOfNewSession({ userId }: TestMember): Promise<string> {
  return transaction(async (tx) => (await beginSession(tx, anOperator, userId, "Test browser")).token);
}

/** Moves a session's times into the past. */
export const ageSession = ({ sessionId }: TestMember, hours: number) => sql()`
  update sessions set created_at = created_at - ${hours} * interval '1 hour', last_seen_at = last_seen_at - ${hours} * interval '1 hour',
    expires_at = expires_at - ${hours} * interval '1 hour'
  where id = ${sessionId}`;
