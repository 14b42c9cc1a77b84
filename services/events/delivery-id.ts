import { type SQL, sql } from "drizzle-orm";

/** Returns SQL for the id of an event's delivery to an endpoint (db/functions/delivery_id.sql). */
export function deliveryIdOf(endpointId: SQL, eventId: SQL): SQL {
  return sql`delivery_id(${endpointId}, ${eventId})`;
}
