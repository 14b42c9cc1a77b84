import type { Sql } from "#db/client.ts";
import type { Fragment } from "../list-window.ts";

/** Returns the SQL condition that the user in a column has a second factor. */
export const ownsSecondFactor = (query: Sql, column: "u.id" | "members.user_id"): Fragment => {
  const userId = query.unsafe(column);
  return query`(
    exists (select from totp_secrets t where t.user_id = ${userId} and t.confirmed_at is not null)
    or exists (select from passkeys p where p.user_id = ${userId}))`;
};
