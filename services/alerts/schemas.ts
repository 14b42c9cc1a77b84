import { z } from "zod";
import type { Alert } from "./list-alerts.ts";

const ALERT_TYPES = ["webhook_endpoint.disabled", "card.blocked"] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** What operators are told: `npm run oja -- alerts` lists it. */
export type OperatorAlertType = "card.blocked" | "card_operation.corrected" | "suspense.opened" | "card_spend.waiting";

export const AlertObject = z
  .object({
    id: z.string(),
    type: z.enum(ALERT_TYPES),
    message: z.string().meta({ description: "For people." }),
    resource_id: z.string().meta({ description: "What it is about." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Alert" });

export function presentAlert({ id, type, message, resourceId, createdAt }: Alert): z.output<typeof AlertObject> {
  return { id, type: type as AlertType, message, resource_id: resourceId, created_at: createdAt.toISOString() };
}
