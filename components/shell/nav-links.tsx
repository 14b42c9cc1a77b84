"use client";

import { useSelectedLayoutSegment } from "next/navigation";
import type { ReactNode } from "react";
import { classes } from "#components/ui/class-names.ts";

/** A part of the dashboard. */
export interface NavEntry {
  label: string;
  href: string;
  /** The folder below the shell's layout that holds its pages, or null for the layout's own page. */
  segment: string | null;
  icon: ReactNode;
  /** A short fact beside the label: the balance of the wallet. */
  figure?: ReactNode;
  /** The short word of the bottom bar of a phone. Four entries have one; the others are behind "More". */
  phoneLabel?: string | undefined;
}

/** The entries of the side bar. */
export function NavLinks({ entries }: { entries: readonly NavEntry[] }) {
  const selected = useSelectedLayoutSegment();
  return (
    <ul className="flex flex-col gap-px">
      {entries.map(({ label, href, segment, icon, figure }) => (
        <li key={href}>
          <a
            href={href}
            aria-current={segment === selected ? "page" : undefined}
            className="flex min-h-11 items-center gap-2.5 rounded-control px-2.5 py-1 text-muted -outline-offset-2 hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-ink wide:min-h-8"
          >
            {icon}
            <span className="min-w-0 grow truncate">{label}</span>
            {figure && <span className="text-fact text-muted tabular-nums">{figure}</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The entries of the bottom bar of a phone, as cells of its grid. */
export function PhoneLinks({ entries }: { entries: readonly NavEntry[] }) {
  const selected = useSelectedLayoutSegment();
  return entries.map(({ label, phoneLabel, href, segment, icon }) => (
    <li key={href} className="min-w-0">
      <a href={href} aria-label={label} aria-current={segment === selected ? "page" : undefined} className={PHONE_CELL}>
        {icon}
        <span className="max-w-full truncate max-[18rem]:sr-only">{phoneLabel ?? label}</span>
      </a>
    </li>
  ));
}

export const PHONE_CELL = classes(
  "flex h-full w-full flex-col items-center justify-center gap-0.5 px-1 text-[0.6875rem] text-muted -outline-offset-2",
  "aria-[current]:font-medium aria-[current]:text-brand [&>svg]:size-5",
);

/** The name of the part that the reader is in. It is not a heading, because each page has its own heading. */
export function SectionName({ entries }: { entries: readonly NavEntry[] }) {
  const selected = useSelectedLayoutSegment();
  const entry = entries.find(({ segment }) => segment === selected);
  return <p className="min-w-0 truncate font-semibold">{entry?.label}</p>;
}
