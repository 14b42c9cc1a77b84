import type { ReactNode } from "react";

interface KeyFigureProps {
  label: ReactNode;
  children: ReactNode;
  /** The note under the figure: a comparison or a reason. */
  note?: ReactNode;
}

/** The one figure that a page is about, with its name. */
export function KeyFigure({ label, children, note }: KeyFigureProps) {
  return (
    <div>
      <p className="text-fact text-muted">{label}</p>
      <p className="text-figure leading-tight font-semibold tabular-nums">{children}</p>
      {note && <p className="mt-0.5 text-fact text-muted">{note}</p>}
    </div>
  );
}

/** A figure beside the key figure, in the size of a title. */
export function SideFigure({ label, children, note }: KeyFigureProps) {
  return (
    <div>
      <p className="text-fact text-muted">{label}</p>
      <p className="text-title leading-tight font-semibold tabular-nums">{children}</p>
      {note && <p className="mt-0.5 text-fact text-muted">{note}</p>}
    </div>
  );
}
