import type { EventRow } from "#components/developers/events-list.tsx";
import { EVENT_WORDS } from "#components/developers/words.ts";
import type { MerchantEvent } from "#services/events/index.ts";

/** Returns the row of an event. `path` is that of the list. */
export const toEventRow = (event: MerchantEvent, path: string): EventRow => ({
  ...{ id: event.id, type: event.type, createdAt: event.createdAt },
  href: `${path}/${event.id}`,
  about: subjectOf(event),
  sequence: event.sequence.toLocaleString("en"),
});

const textOf = (value: unknown): string | undefined => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/** Returns the reference or id of what an event is about. */
export const subjectOf = ({ data }: Pick<MerchantEvent, "data">): string | undefined => textOf(data.reference) ?? textOf(data.id);

/** Returns the page of what an event is about. `base` is the path of the mode. */
export function pageOfSubject({ type, data }: Pick<MerchantEvent, "type" | "data">, base: string): string | undefined {
  const to = (path: string, id: unknown) => (textOf(id) === undefined ? undefined : `${base}/${path}/${textOf(id)}`);
  const [noun] = type.split(".");
  switch (noun) {
    case "checkout":
      return to("links", data.reference);
    case "cardholder":
      return to("cards/holders", data.id);
    case "card":
      return to("cards", data.card_id ?? data.id);
    case "vtu":
      return to("top-ups", data.reference);
    default:
      return undefined;
  }
}

/** Returns the name of a type, also of one that a newer version of this service has made. */
export const wordOf = (type: string): string => Object.entries(EVENT_WORDS).find(([known]) => known === type)?.[1] ?? type;
