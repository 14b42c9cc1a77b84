/** Rows of one statement: so many that a large backlog ends soon, and so few that no statement takes long. */
const SHARE = 5_000;

/** Does what is to be done to many rows a share at a time, until a share is not full. Returns how many rows there were. */
export async function inShares(doSome: (share: number) => Promise<{ count: number }>): Promise<number> {
  let rows = 0;
  for (;;) {
    const { count } = await doSome(SHARE);
    rows += count;
    if (count < SHARE) return rows;
  }
}
