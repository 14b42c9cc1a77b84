import { z } from "zod";

export const WalletProofQuery = z.object({
  at: z.coerce
    .number({ error: "Send the number of an entry." })
    .int("Send the number of an entry.")
    .positive("Send the number of an entry.")
    .max(Number.MAX_SAFE_INTEGER, "Send the number of an entry.")
    .optional()
    .meta({
      description: "The `seq` of an entry: the answer is the newest head at it or before it. Default: the newest of all.",
      example: 120,
    }),
});

export const WalletProofObject = z
  .object({
    merchant_id: z.string(),
    seq: z.int().meta({ description: "The last entry that is covered." }),
    count: z.int().meta({ description: "How many rows of the wallet's history are covered." }),
    hash: z
      .string()
      .meta({ description: "The end of the chain of SHA-256 over these rows, in hexadecimal. The guide shows how to compute it." }),
    sealed_at: z.iso.datetime(),
    key_id: z
      .string()
      .meta({ description: "Names the public key. Keep the key that you saw first: another one should be explained to you." }),
    public_key: z
      .string()
      .nullable()
      .meta({ description: "Ed25519, as SubjectPublicKeyInfo in base64. Null where the key of `key_id` is no longer in use." }),
    signature: z.string().meta({ description: "Ed25519 in base64, over `oja-wallet-proof-1|merchant_id|seq|count|hash|sealed_at`." }),
  })
  .meta({ id: "WalletProof" });
