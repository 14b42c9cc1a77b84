import { log } from "#lib/log.ts";
import { carryOutOrders } from "./aggregator/orders.ts";
import { carryOutPayouts } from "./bank/payouts.ts";
import { carryOutRefunds } from "./bank/refunds.ts";
import { decideCardholders } from "./issuer/cardholders.ts";
import { carryOutQueued } from "./issuer/operations.ts";
import { expireAuthorizations } from "./issuer/spend.ts";
import { sendDueNotices } from "./notices.ts";

const EVERY_MS = 250;
const TICKS_PER_MINUTE = 240;

/** Does the timed work of the sandbox while this process runs: decides identities, executes queued operations and orders, sends notices. */
export function startSandboxClock(): void {
  let running = false;
  let ticks = 0;
  setInterval(async () => {
    if (running) return;
    running = true;
    try {
      await decideCardholders();
      await carryOutQueued();
      await carryOutOrders();
      await carryOutPayouts();
      await carryOutRefunds();
      await sendDueNotices();
      if (ticks++ % TICKS_PER_MINUTE === 0) await expireAuthorizations("all that are due");
    } catch (error) {
      log().warn({ err: error }, "a step of the sandbox's clock failed; it runs again");
    } finally {
      running = false;
    }
  }, EVERY_MS).unref();
}
