import { sql } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import type { SystemContext } from "../../context.ts";
import { verb } from "../../verb.ts";

/** Deletes users who did not verify their email within 30 days and are in no business, with their links. Returns how many. */
export const purgeUnverifiedUsers = verb(
  { actor: ["system"] },
  (_ctx: SystemContext): Promise<number> =>
    inBatches(
      (maxRows) => sql()`
      with old as (
        select id from users u
        where email_verified_at is null and created_at < now() - interval '30 days'
          and not exists (select from members m where m.user_id = u.id) and not exists (select from sessions s where s.user_id = u.id)
        limit ${maxRows} for update skip locked),
      links as (delete from user_tokens where user_id in (select id from old)),
      devices as (delete from known_devices where user_id in (select id from old))
      delete from users where id in (select id from old)`,
    ),
);

/** Deletes browsers that were not used for 400 days, as long as their cookies last at most. Returns how many. */
export const purgeOldKnownDevices = verb(
  { actor: ["system"] },
  (_ctx: SystemContext): Promise<number> =>
    inBatches(
      (maxRows) => sql()`
      delete from known_devices where (user_id, hash) in (
        select user_id, hash from known_devices where last_used_at < now() - interval '400 days' limit ${maxRows})`,
    ),
);

/** Deletes expired links, sign-ins and challenges, and failures that no longer count. Returns how many rows it deleted. */
export const purgeOldSignInTries = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  const links = await inBatches(
    (maxRows) => sql()`
      delete from user_tokens where hash in (select hash from user_tokens where created_at < now() - interval '30 days' limit ${maxRows})`,
  );
  const failures = await inBatches(
    (maxRows) => sql()`
      delete from sign_in_failures where source in (
        select source from sign_in_failures where last_failed_at < now() - interval '2 days' and blocked_until < now() limit ${maxRows})`,
  );
  const tickets = await inBatches(
    (maxRows) => sql()`
      delete from sign_in_tickets where hash in (select hash from sign_in_tickets where expires_at < now() limit ${maxRows})`,
  );
  const challenges = await inBatches(
    (maxRows) => sql()`
      delete from passkey_challenges where hash in (select hash from passkey_challenges where expires_at < now() limit ${maxRows})`,
  );
  return links + failures + tickets + challenges;
});
