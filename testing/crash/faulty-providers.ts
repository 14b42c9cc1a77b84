import { sandboxNoticeSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { type LeafChange, mapLeaves } from "../map-leaves.ts";
import type { FaultyProviders, ProxiedRequest } from "./http-proxy.ts";
import type { Random } from "./random.ts";

const SHARE = 0.03;
const UNPRINTABLE = "\u0000\ud800";

/** Fields that identify the subject of an answer. */
const SUBJECTS = ["reference", "ref", "memo", "order", "requestId", "card", "cardToken", "recipient", "personId"];
/** Fields with amounts. A card's balance is left out, because no posting uses it. */
const AMOUNTS = ["cents", "amountInCents", "kobo", "amount", "amount_naira"];
/** Calls whose answers are distorted. We either refuse a false answer, or our own ledger bounds its effect. */
const DISTORTED = [
  "fund",
  "unload",
  "terminate",
  "read-operation",
  "requests",
  "buy",
  "order",
  "pay",
  "payout",
  "send",
  "sent",
  "refund",
  "refund-state",
  "requery",
];
const LISTS = ["list-transactions", "spending"];

/** The card that an issuer has made: its answer is the first to name it, so another name could not be found out. */
const MADE = ["card", "cardToken"];
const namesNewCard = (body: Buffer): boolean => /"(?:lastFour|last4)"/.test(body.toString());

const anotherSubject =
  (body: Buffer): LeafChange =>
  (value, name) => {
    const isSubject = SUBJECTS.includes(name) && !(MADE.includes(name) && namesNewCard(body));
    return isSubject && typeof value === "string" ? `${value.slice(0, -1)}Z` : value;
  };

const tooMuch: LeafChange = (value, name) => {
  if (!AMOUNTS.includes(name)) return value;
  return typeof value === "number" ? value * 100 : `${value}00`;
};

const unprintable: LeafChange = (value, name) => (name === "name" || name === "shop" ? `${value}${UNPRINTABLE}` : value);

function changed(body: Buffer, change: LeafChange): Buffer {
  try {
    return Buffer.from(JSON.stringify(mapLeaves(JSON.parse(body.toString()), change)));
  } catch {
    // An error page is not JSON. It stays as it is.
    return body;
  }
}

/** Returns providers that sometimes answer about another subject, multiply an amount by 100, or send characters that PostgreSQL cannot store. */
export function faultyProvidersOf(random: Random): FaultyProviders {
  return {
    distortAnswer(label, body) {
      if (LISTS.includes(label)) return random.chance(SHARE) ? changed(body, unprintable) : body;
      if (!DISTORTED.includes(label) || !random.chance(SHARE)) return body;
      return changed(body, random.chance(0.5) ? anotherSubject(body) : tooMuch);
    },
    /** Distorts a bank's notice and signs it again, as if the bank had written it. */
    distortRequest(label, original): ProxiedRequest {
      if (label !== "notices" || !random.chance(SHARE)) return original;
      const body = changed(original.body, (value, name) => (name === "from" ? `${value}${UNPRINTABLE}` : value));
      const headers = {
        ...original.headers,
        "content-length": String(body.length),
        "x-sandbox-signature": sign(sandboxNoticeSecret(), body.toString()),
      };
      return { headers, body };
    },
  };
}
