import { type Argon2Parameters, argon2, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { Problem } from "./problem.ts";
import { sameDigest } from "./secrets.ts";

const deriveKey = promisify(argon2);

interface Cost {
  memoryKiB: number;
  passes: number;
  parallelism: number;
}

/** OWASP's password storage cheat sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const COST: Cost = { memoryKiB: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** The kind of requester of a hash. `known`: a browser that signed in before, a signed-in person, or the owner of a mailed link. */
export type Asker = "known" | "stranger";

/**
 * Hashing takes a core and 19 MiB for tens of milliseconds. A process hashes two passwords at once: one of each queue, or two of one while the
 * other has none. So strangers delay the others by one hash at most.
 */
const queues = { known: pLimit(1), stranger: pLimit(1) };
/** At most this many wait in a queue, for a second or two. People would not wait longer. */
const MAX_WAITING = 32;
const RETRY_AFTER_S = 2;

/** Runs `hash` in the queue of the asker's kind. Throws RATE_LIMITED if too many of that kind wait. */
async function runQueued<T>(asker: Asker, hash: () => Promise<T>): Promise<T> {
  const [own, other] = asker === "known" ? [queues.known, queues.stranger] : [queues.stranger, queues.known];
  const queue = own.activeCount > 0 && other.activeCount === 0 ? other : own;
  if (queue.pendingCount >= MAX_WAITING) {
    throw new Problem("RATE_LIMITED", "Too many people sign in or sign up at this moment. Wait 2 seconds, then try again.", {
      headers: { "Retry-After": String(RETRY_AFTER_S) },
    });
  }
  return queue(hash);
}

/** Older hashes: scrypt with N = 2^15, r = 8, p = 1. This is below OWASP's minimum, and the text does not name the cost. */
const SCRYPT = /^scrypt\$([0-9A-Za-z]+)\$([0-9a-f]{64})$/;
const SCRYPT_COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 };

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** 128 code points take at most so many UTF-16 units. Normalising a text takes time that grows with the square of its length. */
const MAX_UNITS = 256;

/**
 * Returns a password's hash as a PHC string, which names its algorithm, cost and salt. Throws an Error for more than 256 UTF-16 units, and
 * RATE_LIMITED when too many wait.
 */
export async function hashPassword(password: string, asker: Asker = "stranger"): Promise<string> {
  if (password.length > MAX_UNITS) throw new Error("a password is too long to be hashed");
  const salt = randomBytes(SALT_BYTES);
  const hash = await hashWith(password, salt, COST, asker);
  return `${prefixOf(COST)}$${base64(salt)}$${base64(hash)}`;
}

/**
 * Compares a password with a stored hash in constant time. `outdated`: the password is right, and its hash should be made anew with the
 * algorithm and cost of today. Throws an Error for a text that is no hash of ours, and RATE_LIMITED when too many wait.
 */
export async function checkPassword(password: string, stored: string, asker: Asker = "stranger"): Promise<"right" | "outdated" | "wrong"> {
  if (password.length > MAX_UNITS) return "wrong";
  const [, scryptSalt, scryptHash] = SCRYPT.exec(stored) ?? [];
  if (scryptSalt !== undefined && scryptHash !== undefined) {
    const found = await runQueued(asker, () => deriveByScrypt(password, scryptSalt));
    return sameDigest(found.toString("hex"), scryptHash) ? "outdated" : "wrong";
  }
  const [, memoryKiB, passes, parallelism, salt, hash] = PHC.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) throw new Error("a stored password hash has an unknown format");
  const cost = { memoryKiB: Number(memoryKiB), passes: Number(passes), parallelism: Number(parallelism) };
  const found = await hashWith(password, Buffer.from(salt, "base64"), cost, asker);
  if (!sameDigest(base64(found), hash)) return "wrong";
  return prefixOf(cost) === prefixOf(COST) ? "right" : "outdated";
}

/** Returns a hash that no password is known to have. Comparing with it takes as long as with that of a user. */
export const decoyHash = (): string => `${prefixOf(COST)}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(HASH_BYTES))}`;

// NFKC, so that a password typed on another keyboard or system is the same password.
const hashWith = (password: string, nonce: Uint8Array, { memoryKiB: memory, passes, parallelism }: Cost, asker: Asker): Promise<Buffer> =>
  runQueued(asker, () =>
    deriveKey("argon2id", {
      message: password.normalize("NFKC"),
      nonce,
      parallelism,
      tagLength: HASH_BYTES,
      memory,
      passes,
    } satisfies Argon2Parameters),
  );

const deriveByScrypt = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, SCRYPT_COST, (error, key) => (error ? reject(error) : resolve(key)));
  });

const prefixOf = ({ memoryKiB, passes, parallelism }: Cost) => `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${parallelism}`;
/** PHC strings have base64 without padding. */
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll("=", "");
