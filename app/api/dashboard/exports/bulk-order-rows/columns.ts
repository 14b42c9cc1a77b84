import { type Column, phoneText } from "#app/_exports/csv.ts";
import { BULK_ROW_STATES, PURCHASE_STATES } from "#components/page/states.tsx";
import { type BulkRow, typedAmount, typedCell, typedRecipient } from "#services/bulk/index.ts";

/** From "Phone" to "Amount" the columns are those of a file of top-ups, with their cells as they were typed, so that the file can be uploaded again. */
export const columns: Column<BulkRow>[] = [
  ["Line", ({ row }) => row],
  ["For", ({ recipient, cells }) => phoneText(recipient ?? typedRecipient(cells))],
  ["What", ({ productName }) => productName],
  ["Phone", ({ cells }) => typedCell(cells, "phone")],
  ["Network", ({ cells, network }) => typedCell(cells, "network") || (typedCell(cells, "plan") === "" ? network : null)],
  ["Smart card", ({ cells }) => typedCell(cells, "smartCard")],
  ["Plan id", ({ cells }) => typedCell(cells, "plan")],
  ["Meter", ({ cells }) => typedCell(cells, "meter")],
  ["Disco", ({ cells }) => typedCell(cells, "disco")],
  ["Meter type", ({ cells }) => typedCell(cells, "meterType")],
  ["Amount", ({ amount, cells, message }) => amount?.minor ?? typedAmount({ cells, message })],
  ["Currency", ({ amount }) => amount?.currency],
  ["State", ({ purchase, status }) => (purchase ? PURCHASE_STATES[purchase.status] : BULK_ROW_STATES[status]).word],
  ["Why", ({ message }) => message],
  ["Came back", ({ purchase }) => purchase?.refunded.minor],
  ["Reference", ({ purchase }) => purchase?.id],
  ["Finished", ({ purchase }) => purchase?.completedAt],
];
