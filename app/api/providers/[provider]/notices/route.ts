import { noticeRoute } from "#app/api/providers/notice-route.ts";
import { receiveNotice } from "#services/checkout/index.ts";
import { banks } from "#services/providers/index.ts";

/**
 * A bank's notice of a transfer. Answers 200 only once the notice is stored, or the account that it hints at is due to be read, and 401 if it lacks
 * the bank's signature.
 */
export const POST = noticeRoute(banks, receiveNotice);
