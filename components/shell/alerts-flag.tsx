import { Flag } from "lucide-react";

interface AlertsFlagProps {
  count: number;
  /** There are more than `count`. */
  hasMore: boolean;
  href: string;
}

/** A link with the number of alerts that need the reader. Renders nothing without such alerts. */
export function AlertsFlag({ count, hasMore, href }: AlertsFlagProps) {
  if (count === 0) return null;
  const text = `${count}${hasMore ? "+" : ""}`;
  return (
    <a
      href={href}
      aria-label={`${text} need you`}
      className="inline-flex min-h-11 min-w-9 items-center justify-center gap-1 rounded-control px-1 text-fact font-medium hover:bg-hover wide:min-h-9"
    >
      <Flag aria-hidden="true" className="size-4 text-warning" />
      {text}
    </a>
  );
}
