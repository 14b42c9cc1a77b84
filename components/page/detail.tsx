import type { ReactNode } from "react";

/** The layout of a record's page: its timeline on the left, its facts on the right. On a phone the facts follow. */
export function Detail({ facts, children }: { facts: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-8 wide:grid wide:grid-cols-[minmax(0,1fr)_20rem] wide:items-start">
      <div className="flex min-w-0 flex-col gap-8">{children}</div>
      <aside aria-label="Facts" className="min-w-0 border-line max-wide:border-t max-wide:pt-6 wide:border-l wide:pl-6">
        {facts}
      </aside>
    </div>
  );
}

interface SectionProps {
  /** Names the section; unique on its page. */
  id: string;
  title: ReactNode;
  /** Beside the title, right. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ id, title, aside, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
