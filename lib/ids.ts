import { randomBytes } from "node:crypto";

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
  request: "req",
} as const;

export type IdKind = keyof typeof PREFIXES;

/** 26 characters that sort by time of making (48 bits of milliseconds, 80 random bits), after a prefix that names the kind. */
export function newId(kind: IdKind, atMs = Date.now()): string {
  return `${PREFIXES[kind]}_${timePart(atMs)}${base32(randomBytes(RANDOM_BYTES))}`;
}

/** Cannot be guessed: 130 random bits, 26 characters. */
export function newReference(): string {
  return base32(randomBytes(17)).slice(0, 26);
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
