import { sql } from "#db/client.ts";
import { notFound } from "#lib/problem.ts";
import type { MemberContext } from "../context.ts";
import { verb } from "../verb.ts";
import { findAlert } from "./find-alert.ts";

/**
 * Stores up to which alert of the merchant a member has seen all. It never goes back: a page that was open for long may report an older
 * one late. Returns the position. Throws RESOURCE_NOT_FOUND for an alert that this merchant does not have.
 */
export const markAlertsSeen = verb({ permission: "browse" }, async (ctx: MemberContext, upTo: string): Promise<string> => {
  const alert = await findAlert(ctx, upTo);
  if (!alert) throw notFound("alert");
  const [row] = await sql()<{ up_to: string }[]>`
    insert into seen_alerts as s (merchant_id, user_id, up_to) values (${ctx.merchant.id}, ${ctx.actor.id}, ${alert.id})
    on conflict (merchant_id, user_id) do update set up_to = greatest(s.up_to, excluded.up_to)
    returning up_to`;
  return row?.up_to ?? alert.id;
});
