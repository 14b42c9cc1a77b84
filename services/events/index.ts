export { announceDeliveries, DELIVERIES_CHANNEL } from "./announce.ts";
export { appendEvent, appendEvents, type NewEvent, withId } from "./append-event.ts";
export { deliveryIdOf } from "./delivery-id.ts";
export { EVENT_TYPES } from "./event-types.ts";
export { firstSequenceSince } from "./first-sequence-since.ts";
export { listEvents } from "./list-events.ts";
export { EventFeed, EventFeedQuery, presentEvent, WebhookBody } from "./schemas.ts";
