import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Runs `run` as if it were called outside the transaction of its caller: another request that waits for it. A transaction of the product
 * refuses queries of the pool.
 */
export const outsideTransaction: <T>(run: () => T) => T = AsyncLocalStorage.snapshot();
