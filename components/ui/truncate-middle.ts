const HEAD = 4;
const TAIL = 3;

/** Returns an id with its middle left out: `8fK2…x9Q`, `card_…h7Q`. A prefix stays whole, because it names the thing, and a short id does, too. */
export function truncateMiddle(id: string): string {
  const head = /^[a-z]+_/.exec(id)?.[0] ?? id.slice(0, HEAD);
  if (id.length <= head.length + TAIL + 2) return id;
  return `${head}…${id.slice(-TAIL)}`;
}
