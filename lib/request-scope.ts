import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** Runs the work of a request. What is logged in it, however deep, names the request. */
export const withinRequest = <T>(requestId: string, work: () => T): T => current.run(requestId, work);

/** Returns the id of the request whose work this is, or undefined outside of one. */
export const requestIdHere = (): string | undefined => current.getStore();
