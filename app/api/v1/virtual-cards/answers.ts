import { type Answer, accepted, ok } from "#app/_http/answers.ts";
import { type CardOperation, type Changed, presentCard, presentOperation } from "#services/cards/index.ts";

/** Returns 200 for a settled operation, also a failed one, and 202 while the issuer has not decided. */
export const answerWithOperation = (operation: CardOperation): Answer =>
  (operation.status === "processing" ? accepted : ok)({ data: presentOperation(operation) });

/** Returns 200 with the changed card, and 202 while the issuer has not decided. */
export const answerWithCard = ({ card, isProcessing }: Changed): Answer => (isProcessing ? accepted : ok)({ data: presentCard(card) });
