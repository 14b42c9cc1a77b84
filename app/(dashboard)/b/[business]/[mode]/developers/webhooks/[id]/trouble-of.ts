import { exactTime } from "#components/ui/time-text.ts";
import { DAY_MS } from "#lib/time.ts";
import { type Endpoint, MAX_MISSED } from "#services/webhooks/index.ts";

/** Missed events can be sent again for 30 days. */
const MAX_AGE_DAYS = 30;

/** Returns since when an endpoint may have missed events, within the time in which they can be sent again. Undefined for one that works. */
export function missedSince({ status, disabledAt, failingSince }: Endpoint): Date | undefined {
  const since = status === "disabled" ? earlier(failingSince, disabledAt) : failingSince;
  return since ? new Date(Math.max(since.getTime(), Date.now() - MAX_AGE_DAYS * DAY_MS)) : undefined;
}

const earlier = (first: Date | null, second: Date | null): Date | null =>
  first && second ? (first < second ? first : second) : (first ?? second);

const REASONS: Record<NonNullable<Endpoint["disabledReason"]>, string> = {
  merchant: "Somebody of your business disabled it.",
  gone: "It answered 410, which says that it is gone for good.",
  failing: "It failed for five days.",
};

/** Returns what is wrong with an endpoint, and what to do. */
export function troubleOf(endpoint: Endpoint, missed: number, now: Date): { title: string; text: string } | undefined {
  const { status, disabledAt, disabledReason, failingSince, pausedUntil } = endpoint;
  const events = missed === 0 ? "It has missed no event so far." : `It has missed ${countOf(missed)}.`;
  if (status === "disabled") {
    const reason = disabledReason ? REASONS[disabledReason] : "";
    const next = missed === 0 ? "Enable it to send events again." : "Enable it, then send them again.";
    return { title: `Disabled${disabledAt ? ` since ${exactTime(disabledAt)}` : ""}`, text: `${reason} ${events} ${next}` };
  }
  if (!failingSince) return undefined;
  const pause = pausedUntil && pausedUntil > now ? ` It is called again at ${exactTime(pausedUntil)}.` : "";
  return {
    title: `Failing since ${exactTime(failingSince)}`,
    text: `No try has succeeded since. Open a failed delivery to see what your server answers.${pause} After five days it is disabled.`,
  };
}

const countOf = (missed: number): string => {
  if (missed >= MAX_MISSED) return `${MAX_MISSED.toLocaleString("en")} events or more`;
  return missed === 1 ? "1 event" : `${missed.toLocaleString("en")} events`;
};
