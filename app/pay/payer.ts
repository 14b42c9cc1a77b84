import { strangerContext } from "#services/context.ts";

/** The context of a payer's requests. Payers have no account. */
export const payer = strangerContext("payer");
