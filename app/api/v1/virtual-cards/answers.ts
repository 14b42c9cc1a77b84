import { type Answer, accepted, ok } from "#app/_http/answers.ts";
import { type CardOperation, type Changed, presentCard, presentOperation } from "#services/cards/index.ts";

/** 200 once it is settled, which a failure is too; 202 while the issuer has not decided. */
export const answerWithOperation = (operation: CardOperation): Answer =>
  (operation.status === "processing" ? accepted : ok)({ data: presentOperation(operation) });

export const answerWithChanged = ({ card, isProcessing }: Changed): Answer => (isProcessing ? accepted : ok)({ data: presentCard(card) });
