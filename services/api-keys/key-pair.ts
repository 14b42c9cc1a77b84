import { checksum, randomBase62 } from "#lib/secrets.ts";

/** A new key pair. Only a keyed hash of the secret is stored, so this is the one time that it can be shown. */
export interface KeyPair {
  id: string;
  publicKey: string;
  secretKey: string;
}

export const newPublicKey = (mode: "test" | "live"): string => `pk_${mode}_${randomBase62(24)}`;

export function newSecretKey(mode: "test" | "live"): string {
  const random = randomBase62(32);
  return `sk_${mode}_${random}${checksum(random)}`;
}

const PUBLIC_KEY = /^pk_(test|live)_[0-9A-Za-z]{24}$/;
const SECRET_KEY = /^sk_(test|live)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** Returns the mode of a public key, or undefined where the text is not a public key. */
export function modeOfPublicKey(text: string): "test" | "live" | undefined {
  return PUBLIC_KEY.exec(text)?.[1] as "test" | "live" | undefined;
}

/** Returns whether we may have made a secret key: its mode and its checksum are right. Does not read the database. */
export function mayBeSecretKey(text: string, mode: "test" | "live"): boolean {
  const [, writtenMode, random = "", sum] = SECRET_KEY.exec(text) ?? [];
  return writtenMode === mode && checksum(random) === sum;
}
