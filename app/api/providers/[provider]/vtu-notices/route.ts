import { noticeRoute } from "#app/api/providers/notice-route.ts";
import { aggregators } from "#services/providers/index.ts";
import { receiveHint } from "#services/vtu/index.ts";

/**
 * An aggregator's notice that a purchase has changed. Answers 200 once a known purchase is stored as due to be read, and 401 if the adapter
 * rejects the notice.
 */
export const POST = noticeRoute(aggregators, receiveHint);
