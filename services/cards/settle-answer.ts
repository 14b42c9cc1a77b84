import { db } from "#db/client.ts";
import { log } from "#lib/log.ts";
import type { Issuer, OperationOutcome } from "#providers/issuer.ts";
import type { OperationRow } from "./card-operation.ts";
import { readNews } from "./read-news.ts";
import { isAnotherProcessing, readCardAgain } from "./rows.ts";
import { type Look, settleOperation } from "./settle-operation.ts";

/**
 * Settles the answer of an issuer to an operation. A termination settles last and with the card's spend freshly read, because the wallet
 * is credited with what our books explain: while another operation is processing, or the spend cannot be read, it stays processing.
 */
export async function settleAnswer(issuer: Issuer, operation: OperationRow, answer: OperationOutcome, look: Look): Promise<void> {
  const isEnd = operation.type === "terminate" && answer.status === "completed";
  const isReady = !isEnd || (await prepareForEnd(issuer, operation));
  await settleOperation(operation, isReady ? answer : { status: "unknown" }, look);
}

async function prepareForEnd(issuer: Issuer, { merchantId, cardId, id }: OperationRow): Promise<boolean> {
  const card = await readCardAgain({ merchantId, id: cardId });
  if (await isAnotherProcessing(db(), card, id)) return false;
  try {
    await readNews(issuer, card);
    return true;
  } catch (error) {
    log().error({ cardId, operationId: id, err: error }, "a termination waits: the card's spend could not be read");
    return false;
  }
}
