import { type SQL, sql } from "drizzle-orm";

/** The id of the delivery of an event to an endpoint, as SQL (`delivery_id`, db/migrations/0009). */
export function deliveryIdOf(endpointId: SQL, eventId: SQL): SQL {
  return sql`delivery_id(${endpointId}, ${eventId})`;
}
