/** Returns the replacement for one text, number, boolean or null of a JSON value. `name` is its field, or the field of its list. */
export type LeafChange = (value: unknown, name: string) => unknown;

/** Returns a copy of a JSON value with each leaf changed. */
export function mapLeaves(value: unknown, change: LeafChange, name = ""): unknown {
  if (Array.isArray(value)) return value.map((part) => mapLeaves(part, change, name));
  if (typeof value !== "object" || value === null) return change(value, name);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapLeaves(part, change, key)]));
}
