interface PaginationProps {
  /** Absent on the first page. */
  newerHref?: string | undefined;
  /** Absent on the last page. */
  olderHref?: string | undefined;
}

/** The ways to the page before and after this one. A list has no page numbers, because it grows at its head. */
export function Pagination({ newerHref, olderHref }: PaginationProps) {
  if (!newerHref && !olderHref) return null;
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2 py-3">
      <Step href={newerHref} rel="prev">
        ‹ Newer
      </Step>
      <Step href={olderHref} rel="next">
        Older ›
      </Step>
    </nav>
  );
}

function Step({ href, rel, children }: { href: string | undefined; rel: "prev" | "next"; children: string }) {
  const look = "inline-flex min-h-11 items-center rounded-control px-3 sm:min-h-9";
  // An absent step keeps its place, so that the other one stays under the pointer.
  if (!href) return <span className={`${look} invisible`}>{children}</span>;
  return (
    <a href={href} rel={rel} className={`${look} font-medium hover:bg-hover`}>
      {children}
    </a>
  );
}
