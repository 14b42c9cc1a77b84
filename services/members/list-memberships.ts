import { sql } from "#db/client.ts";
import type { Role } from "../context.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";

/** A business in which a person works, with the ids of its merchants. */
export interface Workplace {
  businessId: string;
  businessName: string;
  role: Role;
  merchantIds: Record<"test" | "live", string>;
}

/** Returns the businesses in which a user is a member, by name. Operators act for the platform's own business at the command line. */
export async function listMemberships(userId: string): Promise<Workplace[]> {
  const rows = await sql()<{ id: string; name: string; role: Role; test: string; live: string }[]>`
    select b.id, b.name, members.role, t.id as test, l.id as live
    from members
    join businesses b on b.id = members.business_id
    join merchants t on t.business_id = b.id and t.mode = 'test'
    join merchants l on l.business_id = b.id and l.mode = 'live'
    where members.user_id = ${userId} and b.id <> ${PLATFORM_BUSINESS}
    order by b.name, b.id`;
  return rows.map(({ id, name, role, test, live }) => ({ businessId: id, businessName: name, role, merchantIds: { test, live } }));
}
