import { bigint, text, timestamp } from "drizzle-orm/pg-core";

/** An id of ours (lib/ids), or of a known code. */
export const id = () => text().notNull();

/** Money in minor units (kobo, cents). */
export const minorUnits = () => bigint({ mode: "bigint" }).notNull();

/** Milliseconds are what the API shows; nothing finer is kept, so that what is read compares equal to what was written. */
export const moment = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });
export const createdAt = () => moment().notNull().defaultNow();
