import { log } from "#lib/log.ts";
import { carryOutOrders } from "./aggregator/orders.ts";
import { decideCardholders } from "./issuer/cardholders.ts";
import { carryOutQueued } from "./issuer/operations.ts";
import { sendDueNotices } from "./notices.ts";

const EVERY_MS = 250;

/** Time passes at the sandbox, for as long as this process lives: identities are decided, what is queued or ordered is done, notices are sent. */
export function startSandboxClock(): void {
  let running = false;
  setInterval(async () => {
    if (running) return;
    running = true;
    try {
      await decideCardholders();
      await carryOutQueued();
      await carryOutOrders();
      await sendDueNotices();
    } catch (error) {
      log().warn({ err: error }, "the sandbox's clock missed a beat");
    } finally {
      running = false;
    }
  }, EVERY_MS).unref();
}
