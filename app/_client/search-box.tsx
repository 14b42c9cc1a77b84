"use client";

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import type { PaletteGroup } from "#components/search/palette.tsx";
import { useOnDemand } from "#components/ui/use-on-demand.ts";
import { type AnswerOf, call } from "./call.ts";
import { useCaller } from "./provider.tsx";
import { matching, type Place } from "./search-places.ts";
import { useShortcuts } from "./use-shortcuts.ts";

type Find = typeof import("#app/api/dashboard/search/route.ts").GET;

const loadPalette = async () => (await import("#components/search/palette.tsx")).Palette;

/** The shortest text that is searched for: the last four digits of a card. */
const MIN_CHARACTERS = 4;
const PAUSE_MS = 200;

/** The search of the dashboard: a field in the top bar that opens the palette, as ⌘K and / do. `base` is the path of the mode. */
export function SearchBox({ base, places }: { base: string; places: readonly Place[] }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const { part: Palette, prepare, want } = useOnDemand(loadPalette);
  const opener = useRef<HTMLElement>(null);
  const open = () => {
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setText("");
    setOpen(true);
    want();
  };
  useShortcuts(places, open);
  const { groups, note, isSearching } = useFindings(base, places, text);
  return (
    <>
      <button
        type="button"
        onClick={open}
        onPointerEnter={prepare}
        onFocus={prepare}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="inline-flex size-11 items-center justify-center gap-2 rounded-control text-muted hover:bg-hover wide:size-auto wide:min-h-8 wide:w-80 wide:justify-start wide:border wide:border-line wide:bg-surface wide:px-2.5"
      >
        <Search aria-hidden="true" className="size-4" />
        <span className="text-fact max-wide:sr-only">Search</span>
        <kbd className="ml-auto font-mono text-fact max-wide:hidden">⌘K</kbd>
      </button>
      {Palette && <Palette {...{ text, groups, isSearching, note, opener }} open={isOpen} onOpenChange={setOpen} onText={setText} />}
    </>
  );
}

/** Returns the pages and actions whose names match, and the things that a search finds. */
function useFindings(base: string, places: readonly Place[], text: string) {
  const caller = useCaller();
  const wanted = usePaused(text.trim());
  const isLong = wanted.length >= MIN_CHARACTERS;
  const { data, isFetching, isError } = useQuery({
    queryKey: ["search", caller.merchantId, wanted],
    queryFn: async () => (await call<Find>(caller, "GET", "/api/dashboard/search", { query: { q: wanted } })).data,
    enabled: isLong,
    retry: false,
    // A search often contains a customer's data, so its answer is not kept in memory.
    gcTime: 0,
  });
  const found = useDeferredValue(isLong ? data : undefined);
  const groups = [...groupsOf(found, base), ...matching(places, text)];
  return { groups, isSearching: isFetching, note: noteOf({ text: wanted, isLong, isError, isFetching, found }) };
}

type Found = AnswerOf<Find>["data"] | undefined;

function groupsOf(found: Found, base: string): PaletteGroup[] {
  const names = [...new Set(found?.hits.map(({ group }) => group))];
  return names.map((value) => ({
    value,
    items: (found?.hits ?? [])
      .filter(({ group }) => group === value)
      .map(({ id, title, detail, state, path }) => ({ value: `${value}/${id}`, label: title, detail, state, href: `${base}${path}` })),
  }));
}

function noteOf({
  text,
  isLong,
  isError,
  isFetching,
  found,
}: {
  text: string;
  isLong: boolean;
  isError: boolean;
  isFetching: boolean;
  found: Found;
}) {
  if (isError) return "The search could not be made. Type again to retry.";
  if (text !== "" && !isLong) return `Type at least ${MIN_CHARACTERS} characters to find payments, cards, people and top-ups.`;
  if (!isLong || isFetching || !found) return null;
  if (found.moreOf.length > 0) return `There are more: ${found.moreOf.join(", ")}. These are the ten newest of each.`;
  return found.hits.length > 0
    ? null
    : "Nothing has this exact reference, order number, account, session, phone, meter, smart card, email or last four digits.";
}

/** Returns a text once it has not changed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
