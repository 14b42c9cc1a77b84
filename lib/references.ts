import { createHmac, type KeyObject } from "node:crypto";
import { fromBase32, type KindOfParties, leastIdAt, randomBase32, toBase32 } from "./ids.ts";
import { routingKeys } from "./secrets.ts";

// A reference has its merchant's number, which only we can read (docs/decisions/0042). Its last nine characters are the id of a key and the
// merchant's number, which is hidden by a mask of that key and of all characters before. No two references have the same mask.

/** Merchants' numbers have at most 40 bits. */
const MAX_MERCHANT_NUMBER = 2 ** 40 - 1;
const NUMBER_BYTES = 5;
const NUMBER_CHARACTERS = 8;
const ENDING_CHARACTERS = 1 + NUMBER_CHARACTERS;
/** 120 random bits, which cannot be guessed. */
const RANDOM_IN_LINK = 24;
/** 80 random bits beside 48 bits of milliseconds. */
const RANDOM_IN_ID = 16;

const LINK = /^[0-9A-HJKMNP-TV-Z]{33}$/;
const ID = /^(?:vtu|po|rfd)_[0-9A-HJKMNP-TV-Z]{35}$/;

/** Returns the reference of a new payment link: 33 characters. */
export const newLinkReference = (merchantNumber: number): string => withMerchant(randomBase32(RANDOM_IN_LINK), merchantNumber);

/** Returns the id of a new purchase, which is also its reference at the aggregator: like other ids, with nine more characters. */
export const newPurchaseId = (merchantNumber: number, atMs = Date.now()): string => newIdOf("purchase", merchantNumber, atMs);

/** Returns the id of a new payout, which in lower case is its reference at the bank. */
export const newPayoutId = (merchantNumber: number, atMs = Date.now()): string => newIdOf("payout", merchantNumber, atMs);

/** Returns the id of a new refund, which in lower case is its reference at the bank. */
export const newRefundId = (merchantNumber: number, atMs = Date.now()): string => newIdOf("refund", merchantNumber, atMs);

const newIdOf = (kind: KindOfParties, merchantNumber: number, atMs: number): string =>
  withMerchant(`${leastIdAt(kind, atMs)}${randomBase32(RANDOM_IN_ID)}`, merchantNumber);

/** Whether a text has the form of a link's reference. */
export const isLinkReference = (text: string): boolean => LINK.test(text);

/**
 * Returns the number of the merchant that a reference of a link, or the id of a purchase, payout or refund, names. Returns none for any other text, and one for each key where
 * two keys have the same id: a number that the wrong key reads belongs to no merchant, or to one that has no such reference.
 */
export function merchantNumbersIn(reference: string): number[] {
  if (!isLinkReference(reference) && !ID.test(reference)) return [];
  const keyId = fromBase32(reference.slice(-ENDING_CHARACTERS, -NUMBER_CHARACTERS));
  const hidden = fromBase32(reference.slice(-NUMBER_CHARACTERS));
  return routingKeys()
    .filter(({ id }) => id === keyId)
    .map(({ key }) => xor(hidden, maskOf(key, reference.slice(0, -NUMBER_CHARACTERS))));
}

function withMerchant(text: string, merchantNumber: number): string {
  if (!Number.isInteger(merchantNumber) || merchantNumber < 1 || merchantNumber > MAX_MERCHANT_NUMBER) {
    throw new Error(`${merchantNumber} is no merchant's number`);
  }
  const [{ id, key }] = routingKeys();
  const before = `${text}${toBase32(id, 1)}`;
  return `${before}${toBase32(xor(merchantNumber, maskOf(key, before)), NUMBER_CHARACTERS)}`;
}

const maskOf = (key: KeyObject, text: string): number => createHmac("sha256", key).update(text).digest().readUIntBE(0, NUMBER_BYTES);

/** Returns `a` xor `b` for numbers of more than 32 bits, which the operator `^` would cut. */
const xor = (a: number, b: number): number => Number(BigInt(a) ^ BigInt(b));
