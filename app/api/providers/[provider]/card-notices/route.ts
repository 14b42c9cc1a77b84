import { noticeRoute } from "#app/api/providers/notice-route.ts";
import { receiveHint } from "#services/cards/index.ts";
import { issuers } from "#services/providers/index.ts";

/**
 * A card issuer's notice of a change. Answers 200 once a known card or cardholder is stored as due to be read, and 401 if the adapter
 * rejects the notice.
 */
export const POST = noticeRoute(issuers, receiveHint);
