import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import type { Difference } from "./compare-day.ts";

interface ComparedDay {
  provider: string;
  day: string;
  lines: number;
  differences: Difference[];
}

/** Differences of a day that wait for an explanation, and have been seen by an earlier comparison. */
export interface OpenDifferences {
  count: number;
  /** Changes with the differences, so that operators are told of new ones. */
  fingerprint: string;
}

/** A difference is told to operators if it is so old: what is missing here is first read at its account. */
const TOLD_AFTER = "30 minutes";

/**
 * Stores what a comparison found. A difference that is stored keeps its explanation, unless its kind or amounts have changed or it was gone in between.
 * One that is not found any more is explained by that. Returns the differences to tell operators of. Two comparisons of a day at once wait for each
 * other.
 */
export const storeDay = ({ provider, day, lines, differences }: ComparedDay): Promise<OpenDifferences> =>
  transaction(async (tx) => {
    const matched = lines - differences.filter(({ there }) => there !== null).length;
    await storeCounts(tx, { provider, day, source: "statement", lines, matched });
    const rows = differences.map(({ sessionId, direction, kind, accountReference, here, there }) => ({
      ...{ session_id: sessionId, direction, kind, account_reference: accountReference },
      ...{ amount_here: here && String(here.minor), amount_there: there && String(there.minor) },
    }));
    await tx.execute(sql`
      with found as (
        select * from json_populate_recordset(null::statement_differences, ${JSON.stringify(rows)}::text::json)
      ), gone as (
        update statement_differences d set gone_at = now(), explained_at = coalesce(d.explained_at, (select now())),
          explanation = coalesce(d.explanation, 'A later comparison does not find it.'), explained_by = coalesce(d.explained_by, 'system:worker')
        where d.provider = ${provider} and d.day = ${day}::date and d.gone_at is null
          and not exists (select from found f where f.session_id = d.session_id and f.direction = d.direction)
      )
      insert into statement_differences as d (provider, day, session_id, direction, kind, account_reference, amount_here, amount_there)
      select ${provider}, ${day}::date, session_id, direction, kind, account_reference, amount_here, amount_there from found
      on conflict (provider, day, session_id, direction) do update set kind = excluded.kind, account_reference = excluded.account_reference,
        amount_here = excluded.amount_here, amount_there = excluded.amount_there, explanation = null, explained_by = null, explained_at = null,
        gone_at = null, created_at = excluded.created_at
      where (d.kind, d.amount_here, d.amount_there) is distinct from (excluded.kind, excluded.amount_here, excluded.amount_there)
        or d.gone_at is not null`);
    return findOpen(tx, provider, day);
  });

async function findOpen(tx: Tx, provider: string, day: string): Promise<OpenDifferences> {
  const rows = await tx.execute<{ text: string }>(sql`
    select concat_ws(' ', session_id, direction, kind, amount_here, amount_there, created_at) as text from statement_differences
    where provider = ${provider} and day = ${day}::date and explained_at is null and created_at < now() - ${TOLD_AFTER}::interval
    order by session_id, direction`);
  const fingerprint = createHash("sha256")
    .update(rows.map(({ text }) => text).join("\n"))
    .digest("hex");
  return { count: rows.length, fingerprint };
}

interface Counts {
  provider: string;
  day: string;
  source: "statement" | "accounts";
  lines: number;
  matched: number;
}

/** Stores the counts of a day, over those of an earlier comparison. Locks the day. */
export const storeCounts = (tx: Tx, { provider, day, source, lines, matched }: Counts) =>
  tx.execute(sql`
    insert into bank_days (provider, day, source, lines, matched, read_at) values (${provider}, ${day}::date, ${source}, ${lines}, ${matched}, now())
    on conflict (provider, day) do update set source = excluded.source, lines = excluded.lines, matched = excluded.matched, read_at = excluded.read_at`);
