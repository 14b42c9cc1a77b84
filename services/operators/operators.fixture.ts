import { sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import type { OperatorContext } from "../context.ts";
import type { OperatorRole } from "./operator.ts";

let made = 0;

export interface TestOperator {
  ctx: OperatorContext;
  userId: string;
  email: string;
}

/** Creates an operator, who has been one for long. Nobody signs in as this person. */
export async function anOperatorNamed({ role = "admin" }: { role?: OperatorRole } = {}): Promise<TestOperator> {
  const userId = newId("user");
  const email = `operator-${process.pid}-${made++}@oja.example`;
  await sql()`insert into users (id, email, name, password_hash, email_verified_at) values (${userId}, ${email}, 'Bisi Ade', 'no password', now())`;
  await sql()`
    insert into members (business_id, user_id, role, decides_from, created_at)
    values ('biz_platform', ${userId}, ${role}, now() - interval '1 day', now() - interval '4 days')`;
  return { userId, email, ctx: { actor: { type: "operator", id: userId }, role, requestId: null, address: null } };
}
