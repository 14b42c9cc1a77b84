import type { z } from "zod";
import type { AlertObject, AlertType } from "./contract.ts";
import type { Alert } from "./list-alerts.ts";

export function presentAlert({ id, type, message, resourceId, createdAt }: Alert): z.output<typeof AlertObject> {
  return { id, type: type as AlertType, message, resource_id: resourceId, created_at: createdAt.toISOString() };
}
