import type { z } from "zod";
import type { EventObject } from "./contract.ts";
import type { MerchantEvent } from "./event.ts";

export function presentEvent({ id, type, createdAt, sequence, data }: MerchantEvent): z.output<typeof EventObject> {
  return { id, type, timestamp: createdAt.toISOString(), sequence: Number(sequence), data };
}
