import { fromRow } from "#db/from-row.ts";
import { requestLog } from "#db/schema/requests.ts";
import type { MerchantContext } from "../context.ts";
import { leadsBusiness } from "../members/contract.ts";

type RequestRow = typeof requestLog.$inferSelect;

/** One API call, as the merchant may read it. */
export interface LoggedRequest extends Omit<RequestRow, "merchantId" | "clientAddress"> {
  /** Null: the reader may not see it. */
  clientAddress: RequestRow["clientAddress"] | null;
}

export function requestFromRaw(ctx: MerchantContext, raw: object): LoggedRequest {
  const { merchantId, ...request } = fromRow(requestLog, raw);
  return maySeeAddress(ctx, request) ? request : { ...request, clientAddress: null };
}

/** Network addresses reveal where people are, so members other than owners and admins read only their own addresses and those of keys. */
const maySeeAddress = ({ role, actor }: MerchantContext, { userId }: Pick<RequestRow, "userId">): boolean =>
  userId === null || leadsBusiness(role) || (actor.type === "member" && actor.id === userId);
