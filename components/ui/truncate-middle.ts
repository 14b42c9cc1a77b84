const HEAD = 4;
/** Ids that are made together differ in their last characters. */
const TAIL = 6;

/** Returns an id with its middle left out: `8fK2…w4Tx9Q`, `card_…w4Th7Q`. A prefix stays whole, because it names the thing, and a short id does, too. */
export function truncateMiddle(id: string): string {
  const head = /^[a-z]+_/.exec(id)?.[0] ?? id.slice(0, HEAD);
  if (id.length <= head.length + TAIL + 2) return id;
  return `${head}…${id.slice(-TAIL)}`;
}
