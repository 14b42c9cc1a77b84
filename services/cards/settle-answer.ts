import { db } from "#db/client.ts";
import { log } from "#lib/log.ts";
import type { Issuer, OperationOutcome } from "#providers/issuer.ts";
import type { OperationRow } from "./card-operation.ts";
import { type SettleOptions, settleOperation } from "./operations/settle.ts";
import { isAnotherProcessing, readCardAgain } from "./rows.ts";
import { recordNewSpend } from "./spend/record-new-spend.ts";

/**
 * Settles the answer of an issuer to an operation. A completed termination first records the card's spend, because the wallet is credited
 * only with money that our books explain. While the spend cannot be read, or another operation of the card is `processing`, the termination
 * is not settled: the answer counts as unknown.
 */
export async function settleAnswer(
  issuer: Issuer,
  operation: OperationRow,
  answer: OperationOutcome,
  options: SettleOptions,
): Promise<void> {
  const isEnd = operation.type === "terminate" && answer.status === "completed";
  const isReady = !isEnd || (await prepareForEnd(issuer, operation));
  await settleOperation(operation, isReady ? answer : { status: "unknown" }, options);
}

async function prepareForEnd(issuer: Issuer, { merchantId, cardId, id }: OperationRow): Promise<boolean> {
  const card = await readCardAgain({ merchantId, id: cardId });
  if (await isAnotherProcessing(db(), card, id)) return false;
  try {
    await recordNewSpend(issuer, card);
    return true;
  } catch (error) {
    log().error({ cardId, operationId: id, err: error }, "a termination waits: the card's spend could not be read");
    return false;
  }
}
