import { fromRow } from "#db/from-row.ts";
import { requestLog } from "#db/schema/requests.ts";

/** One API call, as the merchant may read it. */
export type LoggedRequest = Omit<typeof requestLog.$inferSelect, "merchantId">;

export function requestFromRaw(raw: object): LoggedRequest {
  const { merchantId, ...request } = fromRow(requestLog, raw);
  return request;
}
