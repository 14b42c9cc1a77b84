import { type Column, getTableColumns, type InferSelectModel } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { PgTable } from "drizzle-orm/pg-core";

type ReadColumn = [key: string, name: string, column: Column];

const read = new WeakMap<PgTable, ReadColumn[]>();

/** The names follow `casing: "snake_case"` of db/client.ts. */
function columnsOf(table: PgTable): ReadColumn[] {
  const known = read.get(table) ?? Object.entries(getTableColumns(table)).map(([key, column]) => [key, toSnakeCase(key), column]);
  read.set(table, known);
  return known;
}

/**
 * Returns a row that plain SQL read (`select t.*`) as Drizzle returns rows of that table: camelCase keys, and dates and bigints as the
 * table declares them. Other columns of the statement are left out. Throws where a column of the table was not read.
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
