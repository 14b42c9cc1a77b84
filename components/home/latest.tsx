import { Section } from "#components/page/detail.tsx";
import { State, type StateWords } from "#components/page/states.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Skeleton, SkeletonRows } from "#components/ui/skeleton.tsx";
import { Table } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";

/** Rows of the list. */
export const LATEST = 8;

export interface LatestRow {
  id: string;
  href: string;
  title: string;
  /** Whom or what it is about. */
  detail: string | null;
  state: StateWords;
  /** Null where no money is asked for. */
  amount: Money | null;
  createdAt: Date;
}

const COLUMNS = [
  { key: "title", label: "What", grows: true, phone: "name" },
  { key: "state", label: "State", phone: "state" },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
  { key: "time", label: "Time", phone: "time" },
] as const;

/** What happened last, in all areas. */
export function Latest({ rows, allHref, now }: { rows: readonly LatestRow[]; allHref: string; now: Date }) {
  return (
    <Section id="latest" title="Latest" aside={<AllActivity href={allHref} />}>
      {rows.length === 0 ? (
        <p className="text-muted">Payments, cards and top-ups stand here, newest first.</p>
      ) : (
        <Table caption="Latest" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      )}
    </Section>
  );
}

/** A placeholder of the same height as the list, shown while the list is read. */
export const LatestLoading = ({ allHref }: { allHref: string }) => (
  <Section id="latest" title="Latest" aside={<AllActivity href={allHref} />}>
    <Skeleton className="h-9 max-sm:hidden" />
    <SkeletonRows count={LATEST} />
  </Section>
);

const AllActivity = ({ href }: { href: string }) => (
  <span className="text-fact">
    <TextLink href={href}>All activity</TextLink>
  </span>
);

const toRow = ({ id, href, title, detail, state, amount, createdAt }: LatestRow, now: Date) => ({
  key: id,
  href,
  cells: {
    title: (
      // A long title is cut before the detail, because the detail has the number that tells the row from others.
      <span className="flex min-w-0 gap-x-1 max-sm:flex-col">
        <span className="min-w-0 max-sm:line-clamp-2 max-sm:wrap-anywhere max-sm:whitespace-normal sm:truncate">{title}</span>{" "}
        {detail && (
          <span className="min-w-0 font-normal text-muted max-sm:wrap-anywhere max-sm:whitespace-normal sm:max-w-[70%] sm:shrink-0 sm:truncate">
            <span className="max-sm:hidden">· </span>
            {detail}
          </span>
        )}
      </span>
    ),
    state: <State of={state} />,
    amount: amount ? <Amount minor={amount.minor} currency={amount.currency} /> : "",
    time: <Time at={createdAt} now={now} />,
  },
});
