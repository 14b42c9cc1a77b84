import { db, sql, type Tx } from "#db/client.ts";
import { findLastAct, type LastAct } from "../audit/index.ts";
import { type MerchantColumns, merchantColumns, merchantFromColumns } from "../merchant-columns.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";
import { ROLES } from "./contract.ts";
import type { Membership } from "./find-membership.ts";

/** The actions of audit entries that start and end a membership. */
const ACTIONS = ["member.joined", "member.left", "member.removed"];

/**
 * Returns the act by which a person who is not a member has left a business. Undefined where the person was removed, or was never a member. In
 * a transaction, call it under the lock of the business.
 */
export async function findLeaving(reader: Tx | ReturnType<typeof db>, businessId: string, userId: string): Promise<LastAct | undefined> {
  const last = await findLastAct(reader, { businessId, subject: userId, actions: ACTIONS });
  return last?.action === "member.left" ? last : undefined;
}

/**
 * Returns the membership that a person has ended by leaving the business of a merchant. Undefined for anybody else: for members, and for a person
 * who was removed.
 */
export async function findFormerMembership(userId: string, merchantId: string): Promise<Membership | undefined> {
  const [row] = await sql()<MerchantColumns[]>`
    select ${merchantColumns()} from merchants m join businesses b on b.id = m.business_id
    where m.id = ${merchantId} and m.business_id <> ${PLATFORM_BUSINESS}
      and not exists (select from members where members.business_id = m.business_id and members.user_id = ${userId})`;
  const left = row && (await findLeaving(db(), row.business_id, userId));
  const role = ROLES.find((known) => known === left?.before?.role);
  return row && role && { role, merchant: merchantFromColumns(row), secondFactorMissingSince: null };
}
