import { Section } from "#components/page/detail.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";

export interface Reason {
  id: string;
  text: string;
  /** The page of the record behind the reason, if it has one. */
  href: string | undefined;
  amount: Money;
  at: Date;
}

interface ReasonsProps {
  id: string;
  title: string;
  note: string;
  reasons: readonly Reason[];
  /** There are more than these. */
  hasMore: boolean;
  now: Date;
}

/** The reasons why a part of the money is held or owed, each with its amount, newest first. */
export function Reasons({ id, title, note, reasons, hasMore, now }: ReasonsProps) {
  return (
    <Section id={id} title={title}>
      <p className="-mt-2 mb-3 max-w-[72ch] text-fact text-muted">{note}</p>
      <ul className="divide-y divide-line rounded-panel border border-line bg-surface text-fact">
        {reasons.map(({ id: key, text, href, amount, at }) => (
          <li key={key} className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-0.5 px-4 py-2">
            <span className="min-w-0 wrap-anywhere">
              {href ? <TextLink href={href}>{text}</TextLink> : text}{" "}
              <span className="ml-1 text-muted">
                <Time at={at} now={now} />
              </span>
            </span>
            <span className="font-medium">
              <Amount minor={amount.minor} currency={amount.currency} />
            </span>
          </li>
        ))}
      </ul>
      {hasMore && <p className="mt-2 text-fact text-muted">These are the newest. There are older ones.</p>}
    </Section>
  );
}
