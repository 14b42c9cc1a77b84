import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClasses } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { exactTime } from "#components/ui/time-text.ts";

/** The position of a page in its list, and the filters in effect. */
export interface ListPlace {
  /** Whether a filter is set. */
  isFiltered: boolean;
  /** The list without filters. */
  clearHref: string;
  newerHref: string | undefined;
  olderHref: string | undefined;
  /** The time of the oldest row that was searched, if the search stopped before the page was full. */
  searchedTo: Date | null;
  /** A message about an unknown filter or position in the address. */
  problem: string | undefined;
  /** Whether a filter could not be read. The list is then empty, because the unfiltered list would look like the answer. */
  isRefused: boolean;
}

interface ListPageProps {
  /** The plural of the list's records, for sentences: "payment links". */
  things: string;
  filters?: ReactNode;
  /** The address of the list as a file, with the same filters. */
  csvHref?: string | undefined;
  place: ListPlace;
  isEmpty: boolean;
  /** The content to show if the merchant has no record of this kind at all. */
  empty: ReactNode;
  children: ReactNode;
}

/** A list: filters, rows, and the ways to the pages before and after. */
export function ListPage({ things, filters, csvHref: fileHref, place, isEmpty, empty, children }: ListPageProps) {
  const { isFiltered, problem, isRefused } = place;
  const csvHref = isRefused ? undefined : fileHref;
  const isFirst = place.newerHref === undefined;
  if (isEmpty && isFirst && !isFiltered && !problem) return empty;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">{filters}</div>
        {csvHref && (
          <a href={csvHref} className={buttonClasses({ className: "max-sm:hidden" })}>
            <span className="inline-flex items-center gap-2">
              <Download aria-hidden="true" className="size-4" />
              CSV
            </span>
          </a>
        )}
      </div>
      {problem && <Notice tone="warning">{problem}</Notice>}
      {isEmpty ? <NothingFound things={things} place={place} /> : children}
      {!isEmpty && <SearchedTo things={things} place={place} />}
      <Pagination newerHref={place.newerHref} olderHref={place.olderHref} />
      {csvHref && (
        <a href={csvHref} className={buttonClasses({ wide: true, className: "sm:hidden" })}>
          <span className="inline-flex items-center gap-2">
            <Download aria-hidden="true" className="size-4" />
            Download as CSV
          </span>
        </a>
      )}
    </div>
  );
}

function NothingFound({ things, place }: { things: string; place: ListPlace }) {
  const { isFiltered, clearHref, searchedTo, olderHref, isRefused } = place;
  if (isRefused) {
    return (
      <EmptyState action={<TextLink href={clearHref}>Clear the filters</TextLink>}>
        No {things} are shown, because a filter could not be read.
      </EmptyState>
    );
  }
  if (searchedTo && olderHref) {
    return (
      <EmptyState action={<TextLink href={olderHref}>Look further back</TextLink>}>
        No {things} match since {exactTime(searchedTo)}. Older ones have not been looked at yet.
      </EmptyState>
    );
  }
  return (
    <EmptyState action={<TextLink href={clearHref}>{isFiltered ? "Clear the filters" : "Go to the newest"}</TextLink>}>
      {isFiltered ? `No ${things} match these filters.` : `There are no ${things} here.`}
    </EmptyState>
  );
}

function SearchedTo({ things, place: { searchedTo, olderHref } }: { things: string; place: ListPlace }) {
  if (!searchedTo || !olderHref) return null;
  return (
    <p className="text-fact text-muted">
      These are the matching {things} since {exactTime(searchedTo)}. <TextLink href={olderHref}>Look further back</TextLink>
    </p>
  );
}
