import { type SQL, sql } from "drizzle-orm";

/**
 * The id of the delivery of an event to an endpoint, as SQL. It follows from both, so that the primary key keeps a second one from
 * being made, and begins with the event's time, so that ids sort by it.
 */
export function deliveryIdOf(endpointId: SQL, eventId: SQL): SQL {
  return sql`'dlv_' || substr(${eventId}, 5, 10) || upper(substr(md5(${endpointId} || '/' || ${eventId}), 1, 16))`;
}
