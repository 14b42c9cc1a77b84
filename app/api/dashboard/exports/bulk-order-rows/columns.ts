import { type Column, phoneText } from "#app/_exports/csv.ts";
import { BULK_ROW_STATES, PURCHASE_STATES } from "#components/page/states.tsx";
import { type BulkRow, typedRecipient } from "#services/bulk/index.ts";

export const columns: Column<BulkRow>[] = [
  ["Line", ({ row }) => row],
  ["For", ({ recipient, cells }) => phoneText(recipient ?? typedRecipient(cells))],
  ["What", ({ productName }) => productName],
  ["Amount", ({ amount }) => amount?.minor],
  ["Currency", ({ amount }) => amount?.currency],
  ["State", ({ purchase, status }) => (purchase ? PURCHASE_STATES[purchase.status] : BULK_ROW_STATES[status]).word],
  ["Why", ({ message }) => message],
  ["Came back", ({ purchase }) => purchase?.refunded.minor],
  ["Reference", ({ purchase }) => purchase?.id],
  ["Finished", ({ purchase }) => purchase?.completedAt],
];
