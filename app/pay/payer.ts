import { systemContext } from "#services/context.ts";

/** The context of a payer's requests. Payers have no account, so the system acts for them. */
export const payer = systemContext("payer");
