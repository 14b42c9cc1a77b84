import type { EventTypeName } from "#components/developers/event-types-field.tsx";

/** An endpoint as its forms begin. */
export interface EndpointToChange {
  id: string;
  url: string;
  eventTypes: EventTypeName[] | null;
  status: "enabled" | "disabled";
}
