import { createHash } from "node:crypto";
import type { z } from "zod";

/** A row of a provider's list that its adapter cannot parse. Its content is not kept, because it may contain secrets. */
export interface UnreadableRow {
  /** The provider's name for the row, or a digest of a row without a name. */
  reference: string;
  /** Paths of the fields that could not be parsed. */
  fields: string[];
}

/** Parses a list row by row, so that a row that cannot be parsed hides no other. `nameField` is the field with a row's name. */
export function readRows<Schema extends z.ZodType>(
  schema: Schema,
  rows: unknown[],
  nameField: string,
): { readable: z.output<Schema>[]; unreadable: UnreadableRow[] } {
  const readable: z.output<Schema>[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const row of rows) {
    const parsed = schema.safeParse(row);
    if (parsed.success) readable.push(parsed.data);
    else unreadable.push({ reference: nameOf(row, nameField), fields: parsed.error.issues.map(({ path }) => path.join(".")) });
  }
  return { readable, unreadable };
}

function nameOf(row: unknown, nameField: string): string {
  const name = typeof row === "object" && row !== null ? Object.entries(row).find(([field]) => field === nameField)?.[1] : undefined;
  return typeof name === "string" && name !== ""
    ? name
    : `sha256:${createHash("sha256")
        .update(JSON.stringify(row) ?? "")
        .digest("hex")}`;
}
