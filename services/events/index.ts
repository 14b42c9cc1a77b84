export { appendEvent } from "./append-event.ts";
export { listEvents } from "./list-events.ts";
export { EventFeed, EventFeedQuery, presentEvent } from "./schemas.ts";
