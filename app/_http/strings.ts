import type { FieldProblem } from "#lib/problem.ts";

/** Control characters except tab and line breaks. PostgreSQL cannot store NUL, and no honest text contains the others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for these characters
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

const isStorable = (text: string) => text.isWellFormed() && !UNPRINTABLE.test(text);
const inPlain = (name: string) => name.toWellFormed().replace(new RegExp(UNPRINTABLE, "g"), "\ufffd");

/** Returns a problem for each string and each field name, at any depth of a request, that the database cannot store as text. */
export function stringProblems(value: unknown, path: readonly string[] = []): FieldProblem[] {
  if (typeof value === "string")
    return isStorable(value) ? [] : [{ param: path.join(".") || "body", message: "Send text without control characters." }];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, inPlain(name)];
    if (!isStorable(name)) return [{ param: here.join("."), message: "Name the field without control characters." }];
    return stringProblems(inner, here);
  });
}
