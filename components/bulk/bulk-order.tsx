import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Section } from "#components/page/detail.tsx";
import { KeyFigure, SideFigure } from "#components/page/key-figure.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { BULK_ORDER_STATES, State } from "#components/page/states.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";
import { BulkRows, type BulkRowView, WrongRows } from "./bulk-rows.tsx";
import { Progress } from "./progress.tsx";

export interface BulkOrderView {
  title: string;
  status: keyof typeof BULK_ORDER_STATES;
  progress: string;
  done: number;
  total: number;
  toBuy: Money;
  spent: Money;
  /** Why it is paused. */
  pause: string | null;
  createdAt: Date;
}

interface BulkOrderPageProps {
  order: BulkOrderView;
  /** Rows that cannot be bought, of a file that is not bought yet. */
  wrong: readonly BulkRowView[];
  rows: readonly BulkRowView[];
  backHref: string;
  newerHref: string | undefined;
  olderHref: string | undefined;
  csvHref: string;
  /** The buttons for the reader's possible actions on the file. */
  acts: ReactNode;
  now: Date;
}

/** A file of top-ups: what it costs, how far it has come, and its rows. */
export function BulkOrderPage({ order, wrong, rows, backHref, newerHref, olderHref, csvHref, acts, now }: BulkOrderPageProps) {
  const { title, status, progress, done, total, pause, createdAt } = order;
  return (
    <>
      <PageHead
        title={title}
        pill={<State of={BULK_ORDER_STATES[status]} />}
        back={{ href: backHref, label: "Buy many at once" }}
        lead={
          <>
            Uploaded <Time at={createdAt} now={now} />. {progress}.
          </>
        }
        actions={
          <a href={csvHref} className={buttonClasses({})}>
            <span className="inline-flex items-center gap-2">
              <Download aria-hidden="true" className="size-4" />
              CSV
            </span>
          </a>
        }
      />
      <div className="flex flex-col gap-8">
        <Figures order={order} />
        {status === "running" && <Progress done={done} total={total} label={`${done} of ${total} rows are over.`} />}
        {pause && (
          <div className="max-w-[45rem]">
            <Notice tone="warning" title="Buying is paused">
              {pause}
            </Notice>
          </div>
        )}
        {wrong.length > 0 && (
          <Section id="wrong" title={`${wrong.length} ${wrong.length === 1 ? "row" : "rows"} cannot be bought`}>
            <p className="mb-3 text-muted">Correct them in your file and upload it again, or go on without them.</p>
            <WrongRows rows={wrong} />
          </Section>
        )}
        {acts}
        <Section id="rows" title="All rows">
          <BulkRows caption="Rows of the file" rows={rows} />
          <Pagination newerHref={newerHref} olderHref={olderHref} />
        </Section>
      </div>
    </>
  );
}

function Figures({ order: { status, toBuy, spent } }: { order: BulkOrderView }) {
  const isBegun = status !== "draft";
  return (
    <div className="flex flex-wrap items-end gap-x-8 gap-y-2">
      <KeyFigure label={isBegun ? "Spent" : "To buy"}>
        <Amount minor={isBegun ? spent.minor : toBuy.minor} currency="NGN" />
      </KeyFigure>
      {isBegun && toBuy.minor > 0n && status !== "cancelled" && (
        <SideFigure label="Still to buy">
          <Amount minor={toBuy.minor} currency="NGN" />
        </SideFigure>
      )}
    </div>
  );
}
