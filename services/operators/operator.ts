import { eq } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { members, users } from "#db/schema/tenants.ts";
import { HOUR_MS } from "#lib/time.ts";
import type { Role } from "../context.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";

/** The roles of operators. Owners and admins decide, support reads and decides identities, viewers read. */
export const OPERATOR_ROLES = ["owner", "admin", "support", "viewer"] as const satisfies readonly Role[];
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** A new operator, and one with a higher role, decides nothing for so long: the others can find out. */
export const WAITS_MS = 72 * HOUR_MS;

/** A person who runs this service: a member of the platform's own business. */
export interface Operator {
  userId: string;
  email: string;
  name: string;
  role: Role;
  /** From when on the person decides, if the role does. */
  decidesFrom: Date;
}

const FIELDS = { userId: users.id, email: users.email, name: users.name, role: members.role, decidesFrom: members.decidesFrom };

/** Returns all operators, in the order in which they came. */
export async function readOperators(reader: Tx | Database = db()): Promise<Operator[]> {
  const rows = await reader
    .select(FIELDS)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.businessId, PLATFORM_BUSINESS))
    .orderBy(members.createdAt, members.userId);
  return rows.map(({ decidesFrom, ...row }) => {
    if (!decidesFrom) throw new Error(`operator ${row.userId} has no time to decide from`);
    return { ...row, decidesFrom };
  });
}
