export { appendEvent } from "./append-event.ts";
export { listEvents } from "./list-events.ts";
export { EventFeedQuery, EventObject, presentEvent } from "./schemas.ts";
