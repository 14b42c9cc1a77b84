export { checkSeals } from "./check-seals.ts";
export { WalletProofObject, WalletProofQuery } from "./contract.ts";
export { getProof } from "./get-proof.ts";
export { listWalletHeads } from "./head.ts";
export { logWalletHeads } from "./log-heads.ts";
export { presentWalletProof } from "./present.ts";
export { sealWallets } from "./seal-wallets.ts";
export { isSignedByUs } from "./signing.ts";
