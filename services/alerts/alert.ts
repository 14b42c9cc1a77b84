import type { alerts } from "#db/schema/webhooks.ts";
import type { AlertType, OperatorAlertType } from "./contract.ts";

type AlertRow = typeof alerts.$inferSelect;

/** Something that a merchant, or an operator, should know without having asked. */
export interface Alert<Type extends AlertType | OperatorAlertType = AlertType>
  extends Pick<AlertRow, "id" | "message" | "resourceId" | "createdAt"> {
  type: Type;
}

/** The platform's own merchants have operators' alerts, all others have merchants'. */
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
