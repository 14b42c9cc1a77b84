/**
 * True for `npm run test:long` and `EXHAUSTIVE=1 npm test -- …`, which try everything. A usual run tries a part, so that it ends sooner: requests that
 * cover each case.
 */
export const isExhaustive = process.env.EXHAUSTIVE === "1";

/** Returns a quarter of the cases, another quarter for each `turn`, so that four turns in a row meet all. Returns all in an exhaustive run. */
export const aQuarterOf = <T>(cases: readonly T[], turn: number): readonly T[] =>
  isExhaustive ? cases : cases.filter((_, i) => i % 4 === turn % 4);
