export { announceDeliveries, DELIVERIES_CHANNEL } from "./announce.ts";
export { appendEvent, appendEvents, type NewEvent, withId } from "./append-event.ts";
export { EventFeed, EventFeedQuery, WebhookBody } from "./contract.ts";
export { deliveryIdOf } from "./delivery-id.ts";
export { EVENT_TYPES } from "./event-types.ts";
export { firstSequenceSince } from "./first-sequence-since.ts";
export { listEvents } from "./list-events.ts";
export { presentEvent } from "./present.ts";
