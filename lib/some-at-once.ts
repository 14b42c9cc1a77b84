const AT_ONCE = 10;

/** Does something to each, ten at once: a provider that hangs over one does not keep the others waiting for long. */
export async function someAtOnce<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += AT_ONCE) await Promise.all(items.slice(i, i + AT_ONCE).map(run));
}
