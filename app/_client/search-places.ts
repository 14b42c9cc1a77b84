import type { PaletteGroup } from "#components/search/palette.tsx";

/** A page or an action of the dashboard, with the keys that lead there. */
export interface Place {
  kind: "page" | "action";
  label: string;
  href: string;
  /** `g l`: g, then l. */
  keys?: string | undefined;
}

const HEADINGS: Record<Place["kind"], string> = { action: "Actions", page: "Pages" };

/** Returns the actions and pages whose names have all words of a text. */
export function matching(places: readonly Place[], text: string): PaletteGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = places.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  return (["action", "page"] as const).flatMap((kind) => {
    const items = found.filter((place) => place.kind === kind).map(({ label, href, keys }) => ({ value: href, label, href, keys }));
    return items.length === 0 ? [] : [{ value: HEADINGS[kind], items }];
  });
}
