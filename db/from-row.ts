import { type Column, getTableColumns, type InferSelectModel } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { PgTable } from "drizzle-orm/pg-core";

type ReadColumn = [key: string, name: string, column: Column];

const columnCache = new WeakMap<PgTable, ReadColumn[]>();

/** Returns the columns of a table with their names in the database, which follow `casing: "snake_case"` of db/client.ts. */
function columnsOf(table: PgTable): ReadColumn[] {
  const known = columnCache.get(table) ?? Object.entries(getTableColumns(table)).map(([key, column]) => [key, toSnakeCase(key), column]);
  columnCache.set(table, known);
  return known;
}

/**
 * Returns a row of plain SQL (`select t.*`) in the form that Drizzle returns: camelCase keys, and dates and bigints as the table declares
 * them. Leaves out columns that are not the table's. Throws if `raw` lacks a column of the table.
 */
export function fromRow<Table extends PgTable>(table: Table, raw: object): InferSelectModel<Table> {
  const row: Record<string, unknown> = {};
  for (const [key, name, column] of columnsOf(table)) {
    const value: unknown = Reflect.get(raw, name);
    if (value === undefined) throw new Error(`the statement did not read the column ${name}`);
    row[key] = value === null ? null : column.mapFromDriverValue(value);
  }
  return row as InferSelectModel<Table>;
}
