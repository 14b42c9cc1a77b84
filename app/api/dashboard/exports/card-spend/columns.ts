import type { Column } from "#app/_exports/csv.ts";
import { presentTransaction, type SpendOfCard } from "#services/cards/index.ts";

export const columns: Column<SpendOfCard>[] = [
  ["Time", ({ occurredAt }) => occurredAt],
  ["Type", ({ type }) => type],
  ["Status", ({ status }) => status],
  ["Direction", (spend) => presentTransaction(spend).direction],
  ["Amount", ({ amount }) => amount.minor],
  ["Currency", ({ amount }) => amount.currency],
  ["Shop", ({ merchantName }) => merchantName],
  ["Category", ({ categoryCode }) => categoryCode],
  ["City", ({ city }) => city],
  ["Country", ({ country }) => country],
  ["Reason of a decline", ({ declineReason }) => declineReason],
  ["Card", ({ card }) => card.id],
  ["Card name", ({ card }) => card.nickname],
  ["Last four digits", ({ card }) => card.last4],
  ["Cardholder", ({ card }) => `${card.cardholder.firstName} ${card.cardholder.lastName}`],
  ["Transaction", ({ id }) => id],
  ["Belongs to", ({ relatedTransactionId }) => relatedTransactionId],
];
