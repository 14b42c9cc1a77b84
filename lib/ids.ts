import { randomFillSync, randomInt } from "node:crypto";

/** Crockford's base 32: no I, L, O or U, so that an id survives being read out on the phone. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARACTERS = 10;
const RANDOM_BYTES = 10;

const PREFIXES = {
  business: "biz",
  merchant: "mer",
  user: "usr",
  apiKey: "key",
  paymentLink: "pl",
  bankTransfer: "btr",
  ledgerTransfer: "ltr",
  event: "evt",
  webhookEndpoint: "we",
  webhookSecret: "whs",
  webhookDelivery: "dlv",
  alert: "alt",
  card: "card",
  cardOperation: "cop",
  cardTransaction: "ctx",
  suspenseItem: "sus",
  purchase: "vtu",
  exchangeRate: "rate",
  auditEntry: "aud",
  request: "req",
} as const;

export type IdKind = keyof typeof PREFIXES;

/** 26 characters that sort by time of making (48 bits of milliseconds, 80 random bits), after a prefix that names the kind. */
export function newId(kind: IdKind, atMs = Date.now()): string {
  return `${PREFIXES[kind]}_${timePart(atMs)}${base32(random(RANDOM_BYTES))}`;
}

/** A random integer of 48 bits: it has at most 15 digits, which every JSON parser keeps, and tells nothing of how many others there are. */
export const newCardholderId = (): number => randomInt(1, 2 ** 48);

/** Cannot be guessed: 130 random bits, 26 characters. */
export function newReference(): string {
  return base32(random(17)).slice(0, 26);
}

const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Random bytes from a pool that is filled in one call: a request makes several ids. No byte is given out twice. */
function random(size: number): Uint8Array {
  if (used + size > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}

function timePart(atMs: number): string {
  let rest = Math.max(0, Math.floor(atMs));
  let text = "";
  for (let i = 0; i < TIME_CHARACTERS; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function base32(bytes: Uint8Array): string {
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((buffer >>> bits) & 31);
      buffer &= (1 << bits) - 1;
    }
  }
  return text;
}
