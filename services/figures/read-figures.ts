import { sql } from "drizzle-orm";
import type { z } from "zod";
import { db } from "#db/client.ts";
import { parsed } from "#lib/parsed.ts";
import type { TenantContext } from "../context.ts";
import { FigureDays } from "./contract.ts";
import { type Figure, type FigureRow, figureFromRow } from "./figure.ts";
import { figuresWithin, spanOf } from "./rows.ts";

/** A reading itself counts up to this many new entries, and as many events. There are usually few: the worker counts every two seconds. */
const MAX_TAIL = 5_000;

export interface Figures {
  /** By day, source and type. A day or type on which nothing happened is absent. */
  figures: Figure[];
  /** Whether everything is counted that was committed when the reading began. False while the worker has a backlog. */
  isComplete: boolean;
}

type Row = { is_complete: boolean } & (FigureRow | { day: null });

/**
 * Returns the merchant's figures of some days in Lagos. Adds what the worker has not counted yet. One statement reads cursor, figures and
 * the rest, so that all are of one moment. Throws VALIDATION_ERROR for invalid days and for too many.
 */
export async function readFigures({ merchant }: TenantContext, days: z.input<typeof FigureDays>): Promise<Figures> {
  const { from, to } = parsed(FigureDays, days);
  const rows = await db().execute<Row>(sql`
    with span as materialized (${spanOf(merchant.id, MAX_TAIL)}),
    parts as (
      select day, source, type, count, kobo from daily_figures where merchant_id = ${merchant.id} and day between ${from} and ${to}
      union all
      select * from (${figuresWithin(merchant.id, MAX_TAIL)}) tail where day between ${from} and ${to}
    ),
    figures as (select day, source, type, sum(count)::bigint as count, sum(kobo)::bigint as kobo from parts group by day, source, type)
    select not span.has_more as is_complete, figures.* from span left join figures on true order by day, source, type`);
  return {
    figures: rows.flatMap((row) => (row.day === null ? [] : [figureFromRow(row)])),
    isComplete: rows.every((row) => row.is_complete),
  };
}
