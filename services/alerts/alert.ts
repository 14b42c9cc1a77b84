import type { alerts } from "#db/schema/alerts.ts";
import type { AlertType, OperatorAlertType } from "./contract.ts";

type AlertRow = typeof alerts.$inferSelect;

/** Something that a merchant or an operator should know without asking. */
export interface Alert<Type extends AlertType | OperatorAlertType = AlertType>
  extends Pick<AlertRow, "id" | "message" | "resourceId" | "createdAt"> {
  type: Type;
}

/**
 * Returns the alert of a row. The caller chooses `Type`: rows of the platform's merchants are operators' alerts, all others are merchants'.
 */
export const alertFromRow = <Type extends AlertType | OperatorAlertType>({
  id,
  type,
  message,
  resourceId,
  createdAt,
}: AlertRow): Alert<Type> => ({
  ...{ id, message, resourceId, createdAt },
  type: type as Type,
});
