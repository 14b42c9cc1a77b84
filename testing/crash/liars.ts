import { sandboxNoticeSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { type LeafChange, mapLeaves } from "../map-leaves.ts";
import type { Liars, Words } from "./http-proxy.ts";
import type { Random } from "./random.ts";

const SHARE = 0.03;
const UNPRINTABLE = "\u0000\ud800";

/** Names by which answers say what they are about. */
const ABOUT = ["reference", "memo", "order", "requestId", "card", "cardToken", "recipient", "personId"];
/** Amounts, as they are called. What a card is said to have is no part of any posting. */
const AMOUNTS = ["cents", "amountInCents", "kobo", "amount"];
/** A lie of these is either not believed, or bounded by our own books. */
const LIED_ABOUT = ["fund", "unload", "terminate", "read-operation", "requests", "buy", "order", "pay", "requery"];
const LISTS = ["list-transactions", "spending"];

const another: LeafChange = (value, name) => (ABOUT.includes(name) && typeof value === "string" ? `${value.slice(0, -1)}Z` : value);

const tooMuch: LeafChange = (value, name) => {
  if (!AMOUNTS.includes(name)) return value;
  return typeof value === "number" ? value * 100 : `${value}00`;
};

const unprintable: LeafChange = (value, name) => (name === "name" || name === "shop" ? `${value}${UNPRINTABLE}` : value);

function changed(body: Buffer, change: LeafChange): Buffer {
  try {
    return Buffer.from(JSON.stringify(mapLeaves(JSON.parse(body.toString()), change)));
  } catch {
    // No JSON: an error page, which lies well enough.
    return body;
  }
}

/** Providers that now and then answer about something else, name a hundred times the amount, or write what no database keeps. */
export function liarsOf(random: Random): Liars {
  return {
    distortAnswer(label, body) {
      if (LISTS.includes(label)) return random.chance(SHARE) ? changed(body, unprintable) : body;
      if (!LIED_ABOUT.includes(label) || !random.chance(SHARE)) return body;
      return changed(body, random.chance(0.5) ? another : tooMuch);
    },
    /** A bank's notice: signed anew, as the bank itself would have written it. */
    distortRequest(label, words): Words {
      if (label !== "notices" || !random.chance(SHARE)) return words;
      const body = changed(words.body, (value, name) => (name === "from" ? `${value}${UNPRINTABLE}` : value));
      const headers = {
        ...words.headers,
        "content-length": String(body.length),
        "x-sandbox-signature": sign(sandboxNoticeSecret(), body.toString()),
      };
      return { headers, body };
    },
  };
}
