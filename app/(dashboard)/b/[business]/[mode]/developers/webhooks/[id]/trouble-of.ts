import { exactTime } from "#components/ui/time-text.ts";
import { DAY_MS } from "#lib/time.ts";
import type { Endpoint, MissedCount } from "#services/webhooks/index.ts";

/** Missed events can be sent again for 30 days. */
const MAX_AGE_DAYS = 30;

/** Returns since when an endpoint may have missed events, within the time in which they can be sent again. Undefined for one that works. */
export const missedSince = ({ missedFrom }: Endpoint): Date | undefined =>
  missedFrom ? new Date(Math.max(missedFrom.getTime(), Date.now() - MAX_AGE_DAYS * DAY_MS)) : undefined;

const REASONS: Record<NonNullable<Endpoint["disabledReason"]>, string> = {
  merchant: "Somebody of your business disabled it.",
  gone: "It answered 410, which says that it is gone for good.",
  failing: "It failed for five days.",
};

/** Returns what is wrong with an endpoint, and what to do. `missed`: what it has missed, undefined for one that works. */
export function troubleOf(endpoint: Endpoint, missed: MissedCount | undefined, now: Date): { title: string; text: string } | undefined {
  const { status, disabledAt, disabledReason, failingSince, pausedUntil } = endpoint;
  if (status === "disabled") {
    const reason = disabledReason ? REASONS[disabledReason] : "";
    return { title: `Disabled${disabledAt ? ` since ${exactTime(disabledAt)}` : ""}`, text: `${reason} ${missedText(missed)}` };
  }
  if (!failingSince) return undefined;
  const pause = pausedUntil && pausedUntil > now ? ` It is called again at ${exactTime(pausedUntil)}.` : "";
  return {
    title: `Failing since ${exactTime(failingSince)}`,
    text: `No try has succeeded since, and Oja tries again. Open a delivery to see what your server answers.${pause} After five days the endpoint is disabled.`,
  };
}

function missedText(count: MissedCount | undefined): string {
  const { missed, isExact } = count ?? { missed: 0, isExact: true };
  if (missed === 0 && isExact) return "It has missed no event so far. Enable it to send events again.";
  // One count looks at a limited number of events, and there are more of them since then.
  if (missed === 0) return "It may have missed events. Enable it, then send all again.";
  const events = missed === 1 ? "1 event" : `${missed.toLocaleString("en")} events`;
  return `It has missed ${events}${isExact ? "" : " or more"}. Enable it, then send them again.`;
}
