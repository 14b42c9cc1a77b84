import { findTokenUser, type TokenKind } from "../tokens.ts";

/** Returns the email to which a link was sent that still works, or undefined. Uses nothing up, because mail programs open links by themselves. */
export const findLinkEmail = async (kind: TokenKind, token: string): Promise<string | undefined> =>
  (await findTokenUser(kind, token))?.email;
