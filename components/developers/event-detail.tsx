import { Detail, Section } from "#components/page/detail.tsx";
import { type Fact, Facts } from "#components/page/facts.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { CodeBlock } from "./code-block.tsx";
import { DeliveriesTable, type DeliveryRow } from "./deliveries-list.tsx";

interface EventDetailProps {
  backHref: string;
  title: string;
  /** The page of the event's subject, such as a link. */
  subjectHref: string | undefined;
  /** Absent for readers who may not see them. */
  deliveries: readonly DeliveryRow[];
  /** Absent for readers who may not see them. */
  webhooksHref: string | undefined;
  json: string;
  facts: readonly Fact[];
  now: Date;
}

/** The page of an event: its data and its deliveries. */
export function EventDetail({ backHref, title, subjectHref, deliveries, webhooksHref, json, facts, now }: EventDetailProps) {
  return (
    <>
      <PageHead
        back={{ href: backHref, label: "Events" }}
        title={title}
        actions={subjectHref && <ButtonLink href={subjectHref}>Open what it is about</ButtonLink>}
      />
      <Detail facts={<Facts facts={facts} />}>
        <Section id="deliveries" title="Deliveries">
          {deliveries.length === 0 ? (
            <EmptyState action={webhooksHref && <ButtonLink href={webhooksHref}>Go to webhooks</ButtonLink>}>
              No endpoint of yours has got this event. Each try to send it stands here.
            </EmptyState>
          ) : (
            <DeliveriesTable rows={deliveries} now={now} />
          )}
        </Section>
        <Section id="object" title="The event">
          <CodeBlock text={json} what="the event" />
        </Section>
      </Detail>
    </>
  );
}
