/** More names than any endpoint has. */
const MAX_NAMES = 40;
const NAME = /^[a-z][a-z_]{0,39}\d{0,2}$/;
const PLACE = /^\d{1,3}$/;
/** Stands for a name that may be a value in the wrong place. */
const HIDDEN = "…";

const shown = (part: string) => (NAME.test(part) || PLACE.test(part) ? part : HIDDEN);

/**
 * Returns names of fields as the request log keeps them, each once. A caller may send a value in the place of a name, such as a card number or a
 * secret, so only names in small letters stay, and any other one becomes `…`.
 */
export const fieldNames = (names: readonly string[]): string[] => [...new Set(names.map(shown))].slice(0, MAX_NAMES);

/** Returns the path of a field (`metadata.colour`, `rows.3.phone`) likewise. All of it is hidden where a part is: the dots may be the value's. */
export function fieldPath(param: string): string {
  const parts = param.split(".").map(shown);
  return parts.includes(HIDDEN) || parts.length > MAX_NAMES ? HIDDEN : parts.join(".");
}
