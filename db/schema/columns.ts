import { sql } from "drizzle-orm";
import { bigint, jsonb, text, timestamp } from "drizzle-orm/pg-core";

/** An id of ours (lib/ids), or a fixed code. */
export const id = () => text().notNull();

/** Money in minor units (kobo, cents). */
export const minorUnits = () => bigint({ mode: "bigint" }).notNull();

/** Who made the row: the type of an actor (services/context) and its id, as `api_key:key_…`. */
export const madeBy = () => text().notNull();

/** Values of the merchant's own: at most 20 texts (`metadata` in services/fields.ts). */
export const metadata = () => jsonb().$type<Record<string, string>>().notNull().default({});

/** A time in milliseconds, as the API shows it. Nothing finer is stored, so that a value read equals the value written. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

/** A moment that is `now()` by default and rounded down, so that it is reached at once: PostgreSQL rounds to the nearest millisecond, which may lie ahead. */
export const reachedMoment = () => moment().default(sql`date_trunc('milliseconds', now())`);

export const createdAt = () => moment().notNull().defaultNow();
