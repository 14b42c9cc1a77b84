import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import { keyFor } from "#lib/secrets.ts";
import type { Seal } from "./seal.ts";

/** The fixed beginning of an Ed25519 key in PKCS #8 (RFC 8410); the 32 bytes of the key follow. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

interface SealKey {
  id: string;
  private: KeyObject;
  /** SubjectPublicKeyInfo in base64. */
  public: string;
}

let known: SealKey | undefined;

/** Returns the key of this installation, which follows from its secret key. */
export function sealKey(): SealKey {
  known ??= makeKey(keyFor("wallet-seals").export());
  return known;
}

function makeKey(seed: Buffer): SealKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return { id: hash("sha256", spki).slice(0, 16), private: key, public: spki.toString("base64") };
}

type Signed = Pick<Seal, "merchantId" | "seq" | "count" | "hash" | "sealedAt">;

/** Returns the text that is signed. The API's documentation shows it to merchants: never change it. */
const textOf = ({ merchantId, seq, count, hash: head, sealedAt }: Signed): Buffer =>
  Buffer.from(["oja-wallet-proof-1", merchantId, seq, count, head, sealedAt.toISOString()].join("|"));

export const signed = (seal: Signed): Seal => ({
  ...seal,
  keyId: sealKey().id,
  signature: sign(null, textOf(seal), sealKey().private).toString("base64"),
});

/** Returns whether a seal was signed by this installation as it stands. */
export const isSignedByUs = (seal: Seal): boolean => seal.keyId === sealKey().id && hasOurSignature(seal);

/** Returns whether a seal names our key and was not signed with it. */
export const isForged = (seal: Seal): boolean => seal.keyId === sealKey().id && !hasOurSignature(seal);

const hasOurSignature = (seal: Seal): boolean =>
  verify(null, textOf(seal), createPublicKey(sealKey().private), Buffer.from(seal.signature, "base64"));
