import { z } from "zod";
import { isBlank } from "#lib/blank.ts";

/**
 * Returns a body without the optional fields that are absent in other words: null, in a field of text a text that shows nothing, and for an object of values the empty
 * list or object that some languages write for none. Serialisers send these where a value is missing. Required fields stay as they are, and so do
 * unknown ones, which the schema refuses by name.
 */
export function withoutAbsent(schema: z.ZodType, sent: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof sent !== "object" || sent === null || Array.isArray(sent)) return sent;
  const kept = Object.entries(sent).filter(([name, value]) => {
    const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return !(field instanceof z.ZodType && isAbsent(field, value) && field.safeParse(undefined).success);
  });
  return Object.fromEntries(kept);
}

function isAbsent(field: z.ZodType, value: unknown): boolean {
  if (value === null) return true;
  if (typeof value === "string") return isBlank(value) && takesText(field);
  return isRecord(field) && typeof value === "object" && Object.keys(value).length === 0;
}

/** Whether a field may be text. `""` for a number or a list is a mistake, which must be refused, not read as a missing field. */
function takesText(field: z.ZodType): boolean {
  const { error } = field.safeParse("");
  return !error?.issues.some(({ code, path }) => (code === "invalid_type" || code === "invalid_union") && path.length === 0);
}

/** Whether a field is an object whose field names the sender chooses. */
function isRecord(field: z.ZodType): boolean {
  return field instanceof z.ZodRecord || (field instanceof z.ZodOptional && isRecord(field.unwrap() as z.ZodType));
}
