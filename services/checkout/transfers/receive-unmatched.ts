import { type Tx, transaction } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { formatMoney } from "#lib/money.ts";
import { raiseOperatorAlert } from "../../alerts/index.ts";
import { mustPost, SETTLEMENT_BANK, SUSPENSE } from "../../ledger/index.ts";
import { modeOf } from "../../providers/index.ts";
import { ledgerKeyOf } from "../payment-link.ts";
import { type Arrival, storeSessions, storeTransfers } from "./arrival.ts";
import { receiveFollowUp } from "./receive-follow-up.ts";

/**
 * Records a transfer to an unknown account once per bank session, for the platform's own merchant. Later notices of the session go to
 * `receiveFollowUp`. Locks: session, ledger accounts.
 */
export const receiveUnmatched = (arrival: Arrival): Promise<void> =>
  transaction(async (tx) =>
    (await storeSessions(tx, [arrival])) === 1 ? suspend(tx, arrival) : receiveFollowUp(tx, arrival.provider, arrival.notice),
  );

/**
 * Posts money that the bank kept to the platform's suspense account, and alerts operators, because its merchant is unknown.
 */
async function suspend(tx: Tx, arrival: Arrival): Promise<void> {
  const { provider, merchantId, transferId, notice } = arrival;
  const kept = notice.returnedBecause === null;
  const received = { linkId: null, classification: "unmatched", disposition: kept ? "suspended" : "returned" } as const;
  await storeTransfers(tx, [{ arrival, received }]);
  log().warn({ provider, sessionId: notice.sessionId }, "a transfer came to an account that is not known");
  if (!kept) return;
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "bank_transfer.unmatched",
    resourceId: transferId,
    message: `${formatMoney(notice.amount)} came to account ${notice.accountNumber ?? notice.accountReference} of ${provider}, which is nobody's. See: npm run oja -- suspense`,
  });
  const meta = { type: "unmatched_transfer", reference: notice.sessionId };
  await mustPost(tx, merchantId, [
    { kind: "post", key: ledgerKeyOf(transferId), debit: SETTLEMENT_BANK, credit: SUSPENSE, amount: notice.amount, meta },
  ]);
}
