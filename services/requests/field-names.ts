import { idIn } from "#lib/ids.ts";
import { isLinkReference } from "#lib/references.ts";

/** The most names that are stored: more than any endpoint has. */
const MAX_NAMES = 40;
const NAME = /^[a-z][a-z_]{0,39}\d{0,2}$/;
const PLACE = /^\d{1,3}$/;
/** Stands for a name that may be a value in the wrong place. */
const HIDDEN = "…";

const shown = (part: string) => (NAME.test(part) ? part : HIDDEN);

/**
 * Returns field names in the form of the request log, each once. A caller may send a value in the place of a name, such as a card number or a
 * secret, so only names in small letters stay, and any other one becomes `…`.
 */
export const fieldNames = (names: readonly string[]): string[] => [...new Set(names.map(shown))].slice(0, MAX_NAMES);

/**
 * Returns the path of a field (`metadata.colour`, `rows.3.phone`) likewise. A position in a list follows a name. If a part is hidden, all are,
 * because its dots may belong to a value.
 */
export function fieldPath(param: string): string {
  const parts = param.split(".");
  const isShown = (part: string, i: number) => NAME.test(part) || (PLACE.test(part) && NAME.test(parts[i - 1] ?? ""));
  return parts.length <= MAX_NAMES && parts.every(isShown) ? param : HIDDEN;
}

/** A word of a path, or a cardholder's number, which has at most 15 digits. */
const PART_OF_PATH = /^([a-z][a-z-]{0,39}|v\d|\d{1,15}|openapi\.json)?$/;
/** Our ids are in capitals. Text in another form may be a value. */
const isName = (part: string) => idIn(part)?.id === part || isLinkReference(part);

/** Returns the path of a request as the log keeps it. A part without the form of a name or an id may be a value, so it becomes `…`. */
export const requestPath = (path: string): string =>
  path
    .split("/")
    .map((part) => (PART_OF_PATH.test(part) || isName(part) ? part : HIDDEN))
    .join("/");
