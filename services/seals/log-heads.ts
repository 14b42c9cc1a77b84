import { log } from "#lib/log.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";
import { listWalletHeads } from "./head.ts";

/**
 * Writes the newest seal of every wallet to the log, one line a merchant. A log that is kept outside of the database then shows a removed tail
 * and an old copy of the database (`checkSeals`). Returns the number of lines.
 */
export const logWalletHeads = verb({ actor: ["system"] }, async (ctx: SystemContext): Promise<number> => {
  let lines = 0;
  for await (const { merchantId, seq, hash } of listWalletHeads(ctx)) {
    log().info({ merchant_id: merchantId, seq: String(seq), hash }, "the head of a wallet");
    lines += 1;
  }
  return lines;
});
