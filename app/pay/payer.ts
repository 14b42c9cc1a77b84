import { systemContext } from "#services/context.ts";

/** Payers have no account: the page acts for them. */
export const payer = systemContext("payer");
