import { DAY_MS, HOUR_MS, MINUTE_MS } from "#lib/time.ts";

/** After the end of its link, an account is read at its bank after these times, also where the link was paid. */
export const READ_AFTER_END_MS = [MINUTE_MS, HOUR_MS, DAY_MS];
/** An account is read so soon after its payer has said that the money was sent. Most notices arrive sooner. */
export const READ_AFTER_SENT_MS = MINUTE_MS;
/** An account is read at once after a hint of its bank, and again so soon after, because the reading may be older than the hint. */
export const READ_AFTER_HINT_MS = MINUTE_MS;
/** A payer can bring a reading forward so often. */
export const MOST_READS_AFTER_SENT = 5;
