import type { FieldProblem } from "#lib/problem.ts";
import { isStorable, storable } from "#lib/storable-text.ts";

/** Returns a problem for each string and each field name, at any depth of a request, that the database cannot store as text. */
export function stringProblems(value: unknown, path: readonly string[] = []): FieldProblem[] {
  if (typeof value === "string")
    return isStorable(value) ? [] : [{ param: path.join(".") || "body", message: "Send text without control characters." }];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, storable(name)];
    if (!isStorable(name)) return [{ param: here.join("."), message: "Name the field without control characters." }];
    return stringProblems(inner, here);
  });
}
