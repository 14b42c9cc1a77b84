import { randomFillSync, randomInt } from "node:crypto";

/** Crockford's base 32 has no I, L, O or U, so that people read ids aloud without errors. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

const PREFIXES = {
  business: "biz",
  merchant: "mer",
  user: "usr",
  session: "ses",
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
  bulkOrder: "blk",
  bankAccount: "bac",
  payout: "po",
  payoutRequest: "prq",
  refund: "rfd",
  exchangeRate: "rate",
  auditEntry: "aud",
  request: "req",
  mail: "mai",
  passkey: "pky",
  factorRemoval: "frm",
  areaRequest: "arq",
  invitation: "inv",
  proposal: "prp",
  checkRun: "chk",
} as const;

export type IdKind = keyof typeof PREFIXES;

const KINDS = new Map<string, IdKind>((Object.keys(PREFIXES) as IdKind[]).map((kind) => [PREFIXES[kind], kind]));

/** Ids of these kinds name their merchant too (lib/references): an outside party knows the thing by its id, and names no merchant. */
export type KindOfParties = "purchase" | "payout" | "refund";

const OF_PARTIES: readonly IdKind[] = ["purchase", "payout", "refund"] satisfies readonly KindOfParties[];

/** Returns a prefix for the kind, and 26 characters that sort by creation time (48 bits of milliseconds, then 80 random bits). */
export function newId(kind: Exclude<IdKind, KindOfParties>, atMs = Date.now()): string {
  return `${PREFIXES[kind]}_${timePart(atMs)}${randomBase32(RANDOM_CHARACTERS)}`;
}

/** Returns the least id of a kind that is made at a time. No row has it: it bounds the ids made before or after that time. */
export const leastIdAt = (kind: IdKind, atMs: number): string => `${PREFIXES[kind]}_${timePart(atMs)}`;

/** Returns an id without its prefix: the characters by which things of all kinds sort together. */
export const withoutPrefix = (id: string): string => id.slice(id.indexOf("_") + 1);

/** Returns the id of a kind that has these characters after its prefix. */
export const withPrefix = (kind: IdKind, rest: string): string => `${PREFIXES[kind]}_${rest}`;

/** The form of ids. Those that name their merchant have nine characters more (lib/references). */
const ID = /^([a-z]+)_([0-9A-HJKMNP-TV-Z]{26}|[0-9A-HJKMNP-TV-Z]{35})$/i;

/** Returns the id that a text is, in any case, and its kind. Returns undefined for any other text. */
export function idIn(text: string): { kind: IdKind; id: string } | undefined {
  const [, prefix = "", rest = ""] = ID.exec(text) ?? [];
  const kind = KINDS.get(prefix.toLowerCase());
  const isLong = rest.length > TIME_CHARACTERS + RANDOM_CHARACTERS;
  return kind && isLong === OF_PARTIES.includes(kind) ? { kind, id: `${PREFIXES[kind]}_${rest.toUpperCase()}` } : undefined;
}

/** Returns a random integer of 48 bits. Its at most 15 digits are exact in every JSON parser, and it does not tell how many cardholders exist. */
export const newCardholderId = (): number => randomInt(1, 2 ** 48);

/** Returns 26 characters of 130 random bits, which cannot be guessed and name no merchant. */
export const newReference = (): string => randomBase32(26);

/** Returns random characters of Crockford's base 32, with five bits each. */
export const randomBase32 = (length: number): string => base32(random(Math.ceil((length * 5) / 8))).slice(0, length);

const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Returns random bytes from a pool that one call fills, because a request makes several ids. No byte is used twice. */
function random(size: number): Uint8Array {
  if (used + size > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}

const timePart = (atMs: number) => toBase32(Math.max(0, Math.floor(atMs)), TIME_CHARACTERS);

/** Writes a whole number of at most 53 bits as digits of base 32, the highest first. */
export function toBase32(value: number, digits: number): string {
  let rest = value;
  let text = "";
  for (let i = 0; i < digits; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Returns the number that digits of base 32 write. */
export const fromBase32 = (digits: string): number => [...digits].reduce((value, digit) => value * 32 + ALPHABET.indexOf(digit), 0);

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
