import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { alerts } from "#db/schema/alerts.ts";
import type { MerchantContext } from "../context.ts";
import { isBeyond, orderOf } from "../list-window.ts";
import { type Page, type PageRequest, readPage } from "../pagination.ts";
import { type Alert, alertFromRow } from "./alert.ts";
import type { AlertType } from "./contract.ts";

/** Returns one page of the merchant's alerts, newest first. Throws VALIDATION_ERROR for a bad cursor. */
export const listAlerts = ({ merchant }: MerchantContext, request: PageRequest): Promise<Page<Alert>> =>
  readPage({
    owner: `${merchant.id}/alerts`,
    request,
    positionOf: ({ id }) => id,
    read: async (window) => {
      const rows = await db()
        .select()
        .from(alerts)
        .where(and(eq(alerts.merchantId, merchant.id), isBeyond(alerts.id, window)))
        .orderBy(orderOf(alerts.id, window))
        .limit(window.limit);
      return { rows: rows.map(alertFromRow<AlertType>) };
    },
  });
