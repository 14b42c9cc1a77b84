/** For endpoints that ask a bank for the owner of an account. A name for every number would be a directory of people. */
export const LIMIT_OF_NAMES = { name: "names", perSecond: 0.1, burst: 20 } as const;
