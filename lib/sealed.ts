import { createCipheriv, createDecipheriv, hash, type KeyObject, randomBytes } from "node:crypto";
import { keyFor, type SealPurpose } from "./secrets.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns an id of a key that does not reveal the key, so that text sealed with another key is recognised. */
const keyIdOf = (key: KeyObject) => hash("sha256", key.export()).slice(0, 8);

/** Thrown for text that was sealed with another key or for another row, or that was changed. */
export class CannotOpen extends Error {
  override name = "CannotOpen";
}

/**
 * Encrypts text for a column with AES-256-GCM under the key of a purpose. `belongsTo` names the row: sealed text that is moved to another
 * row does not open there. Returns `v1.<key id>.<base64url of nonce, ciphertext and tag>`.
 */
export function seal(purpose: SealPurpose, plaintext: string, belongsTo: string): string {
  const key = keyFor(purpose);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(belongsTo));
  const sealed = Buffer.concat([nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1.${keyIdOf(key)}.${sealed.toString("base64url")}`;
}

/** Returns the plaintext of sealed text. Throws `CannotOpen`. */
export function open(purpose: SealPurpose, sealed: string, belongsTo: string): string {
  const key = keyFor(purpose);
  const id = keyIdOf(key);
  const [version, keyId, content] = sealed.split(".");
  if (version !== "v1" || !content) throw new CannotOpen("not sealed by us");
  if (keyId !== id) throw new CannotOpen(`sealed with key ${keyId}; this is ${id}. Was OJA_SECRET_KEY changed?`);
  const bytes = Buffer.from(content, "base64url");
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new CannotOpen("too short to be sealed by us");
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), options).setAAD(Buffer.from(belongsTo));
  try {
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new CannotOpen("the sealed text was changed, or belongs to another row", { cause });
  }
}
