/**
 * Returns the smallest number from `low` on for which `isFrom` is true, or `high` if it is true for no number below `high`. Where `isFrom` is
 * true for a number, it must be true for every larger one.
 * Asks about log2(high - low) times.
 */
export async function firstFrom(low: bigint, high: bigint, isFrom: (number: bigint) => Promise<boolean>): Promise<bigint> {
  let [least, most] = [low, high];
  while (least < most) {
    const middle = (least + most) / 2n;
    if (await isFrom(middle)) most = middle;
    else least = middle + 1n;
  }
  return least;
}
