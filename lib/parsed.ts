import type { z } from "zod";
import { invalidFields } from "./problem.ts";

/** Returns a value as a schema reads it. Throws VALIDATION_ERROR with every bad field. */
export function parsed<Schema extends z.ZodObject>(schema: Schema, value: z.input<Schema>): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidFields(result.error.issues.map(({ path, message }) => ({ param: String(path[0]), message })));
}
