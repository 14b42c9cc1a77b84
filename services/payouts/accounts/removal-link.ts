import { timingSafeEqual } from "node:crypto";
import { keyedHash } from "#lib/secrets.ts";

/** An account as a link in a mail names it. */
interface Named {
  merchantId: string;
  id: string;
}

const PURPOSE = "bank-account-removal";
const TOKEN = /^(mer_\w{1,40})\.(bac_\w{1,40})\.([0-9a-f]{64})$/;

const macOf = ({ merchantId, id }: Named) => keyedHash(PURPOSE, `${merchantId}.${id}`);

/**
 * Returns the token of the link that removes an account. Nothing is stored for it: it names the account under a keyed hash, and removing is all that it
 * can do, so it may work as often as somebody clicks.
 */
export const removalToken = (account: Named): string => `${account.merchantId}.${account.id}.${macOf(account)}`;

/** Returns the account that a token names, or undefined for a text that is no token of ours. */
export function accountOfToken(token: string): Named | undefined {
  const [, merchantId, id, mac] = TOKEN.exec(token) ?? [];
  if (merchantId === undefined || id === undefined || mac === undefined) return undefined;
  const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf({ merchantId, id })));
  return isOurs ? { merchantId, id } : undefined;
}
