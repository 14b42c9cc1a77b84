import { sql } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";

const KEPT_FOR_DAYS = 30;

/** Deletes sessions that ended more than 30 days ago. Returns how many. */
export const purgeOldSessions = verb(
  { actor: ["system"] },
  (_ctx: SystemContext): Promise<number> =>
    inBatches(
      (maxRows) => sql()`
      delete from sessions where id in (
        select id from sessions where least(ended_at, expires_at) < now() - ${KEPT_FOR_DAYS} * interval '1 day' limit ${maxRows})`,
    ),
);
