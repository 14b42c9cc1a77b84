import { classes } from "./class-names.ts";

/** A grey box in place of content that loads. Its classes give the box the size of that content, so that the page does not move. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={classes("block rounded-control bg-line motion-safe:animate-pulse", className)} />;
}

/** The rows of a table that loads, at the height of the rows that come. */
export function SkeletonRows({ count }: { count: number }) {
  return (
    <div role="status" className="rounded-panel border border-line bg-surface">
      <span className="sr-only">Loading</span>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike
        <div key={row} className="flex min-h-16 items-center justify-between gap-6 border-b border-line px-4 last:border-b-0 sm:min-h-11">
          <Skeleton className="h-3.5 w-1/3" />
          <Skeleton className="h-3.5 w-20" />
        </div>
      ))}
    </div>
  );
}
