"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search, X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { State, type StateWords } from "#components/page/states.tsx";
import { Spinner } from "#components/ui/spinner.tsx";

/** A page, an action or a thing. */
export interface PaletteItem {
  value: string;
  label: string;
  detail?: string | undefined;
  state?: StateWords | null | undefined;
  href: string;
  /** The keys that lead there without the palette. */
  keys?: string | undefined;
}

export interface PaletteGroup {
  value: string;
  items: PaletteItem[];
}

export interface PaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  text: string;
  onText: (text: string) => void;
  groups: PaletteGroup[];
  isSearching: boolean;
  /** The line under the list: that nothing was found, or that there is more. */
  note?: ReactNode;
  /** Takes the focus back on closing. */
  opener: RefObject<HTMLElement | null>;
}

/** The search over things, pages and actions: arrows choose, Enter opens, Esc closes. */
export function Palette({ open, onOpenChange, text, onText, groups, isSearching, note, opener }: PaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          aria-label="Search"
          finalFocus={opener}
          className="fixed inset-x-0 top-0 z-40 mx-auto flex max-h-dvh w-full flex-col overflow-hidden border-line bg-surface text-body text-ink shadow-float outline-none max-sm:h-dvh sm:top-[12vh] sm:max-h-[70vh] sm:max-w-[40rem] sm:rounded-panel sm:border"
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            autoHighlight="always"
            keepHighlight
            value={text}
            onValueChange={(value, { reason }) => {
              // A chosen item is opened, not typed.
              if (reason !== "item-press") onText(value);
            }}
            itemToStringValue={(item: PaletteItem) => item.label}
          >
            <div className="flex min-h-14 items-center gap-3 border-b border-line pr-2 pl-4">
              {isSearching ? <Spinner /> : <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />}
              <Autocomplete.Input
                aria-label="Search"
                placeholder="Reference, phone, meter, last four, email…"
                maxLength={200}
                className="min-h-11 w-full min-w-0 bg-transparent text-input outline-none placeholder:text-muted"
              />
              <Dialog.Close
                aria-label="Close"
                className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
              >
                <X aria-hidden="true" className="size-5" />
              </Dialog.Close>
            </div>
            <div className="min-h-0 grow overflow-y-auto overscroll-contain">
              <Autocomplete.List className="p-1">{(group: PaletteGroup) => <Group key={group.value} group={group} />}</Autocomplete.List>
              <Autocomplete.Status className="px-4 pb-3 text-fact text-muted empty:hidden">{note}</Autocomplete.Status>
            </div>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const Group = ({ group }: { group: PaletteGroup }) => (
  <Autocomplete.Group items={group.items} className="py-1">
    <Autocomplete.GroupLabel className="px-3 pt-1 pb-1 text-fact font-medium text-muted">{group.value}</Autocomplete.GroupLabel>
    <Autocomplete.Collection>{(item: PaletteItem) => <Item key={item.value} item={item} />}</Autocomplete.Collection>
  </Autocomplete.Group>
);

const Item = ({ item }: { item: PaletteItem }) => (
  <Autocomplete.Item
    value={item}
    render={<a href={item.href} />}
    className="flex min-h-11 items-center gap-3 rounded-control px-3 py-1.5 outline-none data-highlighted:bg-hover sm:min-h-9"
  >
    <span className="min-w-0 grow truncate">
      {item.label}
      {item.detail && <span className="text-muted"> · {item.detail}</span>}
    </span>
    {item.state && <State of={item.state} />}
    {item.keys && <kbd className="font-mono text-fact text-muted max-wide:hidden">{item.keys}</kbd>}
  </Autocomplete.Item>
);
