import type { EventTypeName } from "#components/developers/event-types-field.tsx";

/** An endpoint as its forms begin. */
export interface EndpointToChange {
  id: string;
  /** As people read it. */
  url: string;
  /** As people read it. */
  host: string;
  eventTypes: EventTypeName[] | null;
  status: "enabled" | "disabled";
}
