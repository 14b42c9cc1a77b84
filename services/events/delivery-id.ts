import { type SQL, sql } from "drizzle-orm";

/** Returns SQL for the id of an event's delivery to an endpoint (`delivery_id`, db/migrations/0009). */
export function deliveryIdOf(endpointId: SQL, eventId: SQL): SQL {
  return sql`delivery_id(${endpointId}, ${eventId})`;
}
