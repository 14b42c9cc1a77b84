import type { z } from "zod";
import type { Alert } from "./alert.ts";
import type { AlertObject } from "./contract.ts";

export function presentAlert({ id, type, message, resourceId, createdAt }: Alert): z.output<typeof AlertObject> {
  return { id, type, message, resource_id: resourceId, created_at: createdAt.toISOString() };
}
