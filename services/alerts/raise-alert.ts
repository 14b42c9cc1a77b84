import type { Tx } from "#db/client.ts";
import { alerts } from "#db/schema/webhooks.ts";
import { newId } from "#lib/ids.ts";
import type { AlertType } from "./schemas.ts";

/** Tells a merchant what it should know without having asked, in the transaction that made it true. */
export async function raiseAlert(
  tx: Tx,
  merchantId: string,
  alert: { type: AlertType; message: string; resourceId: string },
): Promise<void> {
  await tx.insert(alerts).values({ merchantId, id: newId("alert"), ...alert });
}
