import type { z } from "zod";
import type { WalletProofObject } from "./contract.ts";
import type { Seal } from "./seal.ts";
import { sealKey } from "./signing.ts";

export const presentWalletProof = (seal: Seal): z.output<typeof WalletProofObject> => ({
  merchant_id: seal.merchantId,
  seq: Number(seal.seq),
  count: Number(seal.count),
  hash: seal.hash,
  sealed_at: seal.sealedAt.toISOString(),
  key_id: seal.keyId,
  public_key: seal.keyId === sealKey().id ? sealKey().public : null,
  signature: seal.signature,
});
