import type { ReactNode, Ref } from "react";

interface PanelProps {
  id: string;
  title: string;
  /** One or two sentences under the title. */
  lead?: ReactNode;
  /** Right of the title. */
  action?: ReactNode;
  /** Takes the focus when the control that had it is gone. */
  headingRef?: Ref<HTMLHeadingElement> | undefined;
  children: ReactNode;
}

/** A section of the security page: a heading, its purpose, and a box of rows. */
export function Panel({ id, title, lead, action, headingRef, children }: PanelProps) {
  return (
    <section aria-labelledby={id}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-64">
          <h2 id={id} ref={headingRef} tabIndex={-1} className="w-fit scroll-mt-24 rounded-xs font-semibold">
            {title}
          </h2>
          {lead && <p className="mt-1 text-muted">{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

/** The box of a panel. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className="mt-3 divide-y divide-line rounded-panel border border-line bg-surface">{children}</ul>;
}

/** A row of a panel: its title, a fact and its buttons. */
export function Row({ title, fact, actions }: { title: ReactNode; fact: ReactNode; actions?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 grow basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">{title}</p>
        <p className="text-fact text-muted wrap-anywhere">{fact}</p>
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </li>
  );
}
