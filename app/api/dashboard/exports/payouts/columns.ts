import { type Column, metadataText } from "#app/_exports/csv.ts";
import { maskedNumber, type Payout } from "#services/payouts/index.ts";

export const columns: Column<Payout>[] = [
  ["Created", ({ createdAt }) => createdAt],
  ["Reference", ({ reference }) => reference],
  ["Status", ({ status }) => status],
  ["Bank", ({ bankName }) => bankName],
  ["Account", ({ accountNumber }) => maskedNumber(accountNumber)],
  ["Account name", ({ accountName }) => accountName],
  ["Narration", ({ narration }) => narration],
  ["Amount", ({ amount }) => amount.minor],
  ["Fee", ({ fee }) => fee.minor],
  ["Total", ({ total }) => total.minor],
  ["Currency", ({ amount }) => amount.currency],
  ["Bank session", ({ sessionId }) => sessionId],
  ["Reason of a failure", ({ failureReason }) => failureReason],
  ["Paid", ({ paidAt }) => paidAt],
  ["Made by", ({ madeBy }) => madeBy.id],
  ["Approved by", ({ approvedBy }) => approvedBy?.id ?? null],
  ["Metadata", ({ metadata }) => metadataText(metadata)],
];
