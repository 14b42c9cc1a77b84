import type { Sql } from "#db/client.ts";
import type { Fragment } from "../list-window.ts";

/** Returns the condition that the user whose id a column has cannot sign in with a password alone. */
export const ownsSecondFactor = (query: Sql, column: "u.id" | "members.user_id"): Fragment => {
  const userId = query.unsafe(column);
  return query`(
    exists (select from totp_secrets t where t.user_id = ${userId} and t.confirmed_at is not null)
    or exists (select from passkeys p where p.user_id = ${userId}))`;
};
