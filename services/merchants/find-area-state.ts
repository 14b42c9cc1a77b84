import { sql } from "#db/client.ts";
import { notFound } from "#lib/problem.ts";
import type { Area, MerchantContext } from "../context.ts";
import { areaNamed } from "./area-request.ts";

/** The state of an area of a merchant. */
export interface AreaState {
  area: Area;
  isOn: boolean;
  /** Since when a request for it is open; null if none is. */
  requestedAt: Date | null;
}

/** Returns whether an area is on, and since when the merchant asks for it. Throws RESOURCE_NOT_FOUND for a name that is no area. */
export async function findAreaState({ merchant }: MerchantContext, name: string): Promise<AreaState> {
  const area = areaNamed(name);
  if (!area) throw notFound("area");
  const [row] = await sql()<{ is_on: boolean; requested_at: string | null }[]>`
    select exists (select from merchant_areas where merchant_id = ${merchant.id} and area = ${area}) as is_on,
      (select created_at from area_requests where merchant_id = ${merchant.id} and area = ${area} and closed_at is null) as requested_at`;
  if (!row) throw new Error("no state of an area");
  return { area, isOn: row.is_on, requestedAt: row.requested_at === null ? null : new Date(row.requested_at) };
}
