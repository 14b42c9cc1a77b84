import { Section } from "#components/page/detail.tsx";
import { classes } from "#components/ui/class-names.ts";
import { TextLink } from "#components/ui/text-link.tsx";
import { Time } from "#components/ui/time.tsx";

export interface Need {
  key: string;
  at: Date;
  /** `waiting`: an unfinished operation that takes long. */
  tone: "danger" | "warning" | "waiting";
  /** One sentence. */
  text: string;
  detail?: string | undefined;
  action?: { href: string; label: string } | undefined;
}

const MARK: Record<Need["tone"], { look: string; mark: string; says: string }> = {
  danger: { look: "border-danger text-danger", mark: "!", says: "Failed" },
  warning: { look: "border-warning text-warning", mark: "!", says: "Attention" },
  waiting: { look: "border-control text-muted", mark: "…", says: "Under way" },
};

/** The list of things that the reader should look at, newest first. */
export function NeedsYou({ needs, hasMore, now }: { needs: readonly Need[]; hasMore: boolean; now: Date }) {
  return (
    <Section id="needs-you" title={needs.length > 0 ? `Needs you (${needs.length}${hasMore ? "+" : ""})` : "Needs you"}>
      {needs.length === 0 ? (
        <p className="text-muted">Nothing needs you.</p>
      ) : (
        <ul className="divide-y divide-line rounded-panel border border-line bg-surface">
          {needs.map((need) => (
            <NeedItem key={need.key} need={need} now={now} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function NeedItem({ need: { at, tone, text, detail, action }, now }: { need: Need; now: Date }) {
  const { look, mark, says } = MARK[tone];
  return (
    <li className="flex gap-3 px-4 py-3">
      <span
        aria-hidden="true"
        className={classes(
          "mt-px grid size-[1.125rem] shrink-0 place-items-center rounded-full border text-[0.6875rem] leading-none font-semibold",
          look,
        )}
      >
        {mark}
      </span>
      <div className="min-w-0 grow">
        <p className="font-medium wrap-anywhere">
          <span className="sr-only">{says}: </span>
          {text}
        </p>
        <p className="text-fact text-muted wrap-anywhere">
          {detail && `${detail} `}
          <Time at={at} now={now} />
        </p>
      </div>
      {action && (
        <span className="shrink-0 text-fact">
          <TextLink href={action.href}>
            {action.label}
            <span className="sr-only">: {text}</span>
          </TextLink>
        </span>
      )}
    </li>
  );
}
