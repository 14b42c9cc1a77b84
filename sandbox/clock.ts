import { log } from "#lib/log.ts";
import { carryOutOrders } from "./aggregator/orders.ts";
import { decideCardholders } from "./issuer/cardholders.ts";
import { carryOutQueued } from "./issuer/operations.ts";
import { expireAuthorizations } from "./issuer/spend.ts";
import { sendDueNotices } from "./notices.ts";

const EVERY_MS = 250;
const BEATS_A_MINUTE = 240;

/** Time passes at the sandbox, for as long as this process lives: identities are decided, what is queued or ordered is done, notices are sent. */
export function startSandboxClock(): void {
  let running = false;
  let beats = 0;
  setInterval(async () => {
    if (running) return;
    running = true;
    try {
      await decideCardholders();
      await carryOutQueued();
      await carryOutOrders();
      await sendDueNotices();
      if (beats++ % BEATS_A_MINUTE === 0) await expireAuthorizations("all that are due");
    } catch (error) {
      log().warn({ err: error }, "the sandbox's clock missed a beat");
    } finally {
      running = false;
    }
  }, EVERY_MS).unref();
}
