/** Rows of one statement: enough to finish a large backlog soon, and few enough that no statement takes long. */
const MAX_ROWS_PER_STATEMENT = 5_000;

/** Calls `doSome` with the limit of rows for one statement, until it handles fewer. Returns the number of all rows. */
export async function inBatches(
  doSome: (maxRows: number) => Promise<{ count: number }>,
  maxRows = MAX_ROWS_PER_STATEMENT,
): Promise<number> {
  let rows = 0;
  for (;;) {
    const { count } = await doSome(maxRows);
    rows += count;
    if (count < maxRows) return rows;
  }
}
