import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "#components/ui/class-names.ts";

interface PageHeadProps {
  title: ReactNode;
  /** The list that the page belongs to. */
  back?: { href: string; label: string } | undefined;
  /** The state, beside the title. */
  pill?: ReactNode;
  /** Under the title, small: an id, a reference. */
  lead?: ReactNode;
  /** The figures at the head of a list. They replace the title, because the bar above shows it already. */
  figures?: ReactNode;
  /** Right: one primary action, and the others behind it. */
  actions?: ReactNode;
}

/** The head of a page: its title, the state of its record, and the actions. */
export function PageHead({ title, back, pill, lead, figures, actions }: PageHeadProps) {
  // The title of a list with figures, and on a phone the title of a part, are visible to screen readers only: the bar shows them already.
  const isNamedAbove = !back && !pill && !lead;
  return (
    <header className={isNamedAbove && !figures ? "wide:mb-6" : "mb-6"}>
      {back && (
        <a
          href={back.href}
          className="-ml-1 inline-flex min-h-11 items-center gap-0.5 rounded-control pr-2 text-fact text-muted hover:text-ink wide:min-h-7"
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          {back.label}
        </a>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className={classes(figures ? "sr-only" : "min-w-0 wrap-anywhere", isNamedAbove && "max-wide:sr-only")}>{title}</h1>
            {pill}
          </div>
          {figures && <div className="flex flex-wrap items-end gap-x-8 gap-y-2">{figures}</div>}
          {lead && <div className="mt-1 text-fact text-muted wrap-anywhere">{lead}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
    </header>
  );
}
