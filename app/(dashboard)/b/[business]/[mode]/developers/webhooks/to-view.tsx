import type { EndpointRow } from "#components/developers/webhooks-list.tsx";
import { readableAddress } from "#lib/readable-host.ts";
import { EVENT_TYPES } from "#services/events/index.ts";
import type { countLastDay, Endpoint } from "#services/webhooks/index.ts";

type Days = Awaited<ReturnType<typeof countLastDay>>;

export const stateOf = ({ status, failingSince }: Endpoint): EndpointRow["state"] => {
  if (status === "disabled") return "disabled";
  return failingSince ? "failing" : "working";
};

export const eventsOf = ({ eventTypes }: Endpoint): string =>
  eventTypes === null ? "All" : `${eventTypes.length} of ${EVENT_TYPES.length}`;

/** Returns the deliveries of an endpoint in the last day, as texts. */
export function lastDayOf(days: Days, id: string): Pick<EndpointRow, "delivered" | "retrying" | "failed"> {
  const { delivered = 0, retrying = 0, failed = 0, isCut = false } = days.get(id) ?? {};
  const text = (count: number) => `${count.toLocaleString("en")}${isCut ? "+" : ""}`;
  return { delivered: text(delivered), retrying: text(retrying), failed: text(failed) };
}

/** Returns the row of an endpoint. `path` is that of the list. */
export function toEndpointRow(endpoint: Endpoint, days: Days, path: string): EndpointRow {
  const { id, url } = endpoint;
  return {
    ...{ id, url: readableAddress(url), ...lastDayOf(days, id) },
    href: `${path}/${id}`,
    state: stateOf(endpoint),
    events: eventsOf(endpoint),
  };
}
