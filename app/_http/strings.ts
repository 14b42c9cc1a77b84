import type { FieldProblem } from "#lib/problem.ts";

/** Control characters but tab and line breaks. PostgreSQL cannot store NUL, and the others have no business in a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it looks for
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

const isStorable = (text: string) => text.isWellFormed() && !UNPRINTABLE.test(text);
const inPlain = (name: string) => name.toWellFormed().replace(new RegExp(UNPRINTABLE, "g"), "\ufffd");

/** Returns a problem for each string of a request, however deep, that cannot be stored as text, and for each such name of a field. */
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
