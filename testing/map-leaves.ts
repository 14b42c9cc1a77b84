/** Changes one text, number, truth value or null of a JSON value, of which `name` is the name: that of its list, where it stands in one. */
export type LeafChange = (value: unknown, name: string) => unknown;

/** The same JSON value, with each leaf changed. */
export function mapLeaves(value: unknown, change: LeafChange, name = ""): unknown {
  if (Array.isArray(value)) return value.map((part) => mapLeaves(part, change, name));
  if (typeof value !== "object" || value === null) return change(value, name);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapLeaves(part, change, key)]));
}
