interface ProgressProps {
  done: number;
  total: number;
  /** Says the same in words. */
  label: string;
}

/** How far a file has come. */
export function Progress({ done, total, label }: ProgressProps) {
  return (
    <div className="flex max-w-[45rem] flex-col gap-1.5">
      <progress value={done} max={Math.max(1, total)} aria-label="Rows bought" className="h-2 w-full accent-brand" />
      <p role="status" className="text-fact text-muted">
        {label}
      </p>
    </div>
  );
}
