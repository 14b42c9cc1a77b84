import type { ReactNode } from "react";
import { Detail, Section } from "#components/page/detail.tsx";
import { type Fact, Facts } from "#components/page/facts.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import type { DELIVERY_STATES } from "#components/page/states.tsx";
import { Summary } from "#components/page/summary.tsx";
import { Timeline } from "#components/page/timeline.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { CodeBlock } from "./code-block.tsx";
import { DeliveryState } from "./deliveries-list.tsx";

export interface AttemptView {
  number: number;
  at: Date;
  durationMs: number;
  url: string;
  requestHeaders: string;
  /** Null without an answer. */
  status: number | null;
  body: string | null;
  error: string | null;
}

interface DeliveryDetailProps {
  backHref: string;
  title: string;
  state: keyof typeof DELIVERY_STATES;
  /** The time of the next attempt. Undefined if no attempt follows, or if the attempt is due at once. */
  nextTryAt: Date | undefined;
  actions: ReactNode;
  /** What happens next, or what the reader can do. */
  notice: ReactNode;
  attempts: readonly AttemptView[];
  /** Older attempts existed and are deleted by now. */
  hasForgotten: boolean;
  requestBody: string;
  /** The code with which a receiver checks the signature. Present once an attempt was sent. */
  signed: { text: string; code: string } | undefined;
  facts: readonly Fact[];
  now: Date;
}

/** The delivery of one event to one endpoint: each attempt with its request and answer. */
export function DeliveryDetail({
  backHref,
  title,
  state,
  nextTryAt,
  actions,
  notice,
  attempts,
  requestBody,
  signed,
  facts,
  now,
  ...rest
}: DeliveryDetailProps) {
  return (
    <>
      <PageHead
        back={{ href: backHref, label: "Deliveries" }}
        title={title}
        pill={<DeliveryState {...{ state, nextTryAt, now }} />}
        actions={actions}
      />
      <Detail facts={<Facts facts={facts} />}>
        {notice && <Notice>{notice}</Notice>}
        <Section id="attempts" title="Tries">
          {attempts.length === 0 ? (
            <EmptyState>Nothing has been sent yet.</EmptyState>
          ) : (
            <Timeline label="Tries" now={now} entries={attempts.map((attempt) => toEntry(attempt))} />
          )}
          {rest.hasForgotten && <p className="mt-3 text-fact text-muted">Tries are kept for 30 days. Earlier ones are forgotten.</p>}
        </Section>
        <Section id="body" title="Body">
          <CodeBlock text={requestBody} shown={linesOf(requestBody)} what="the body" />
          <p className="mt-2 text-fact text-muted">Laid out in lines for reading. Copying gives the bytes that were sent.</p>
        </Section>
        {signed && (
          <details>
            <Summary>Verify the signature</Summary>
            <p className="mt-2 mb-2 max-w-[72ch] text-muted">
              This is the text that the last try signed: its id, its time and the body, with dots between.
            </p>
            <CodeBlock text={signed.text} what="the signed text" />
            <p className="mt-4 mb-2 max-w-[72ch] text-muted">
              This checks it in Node.js, without a library. Compare the body as it came: one that was parsed and written again differs.
            </p>
            <CodeBlock text={signed.code} what="the code" />
          </details>
        )}
      </Detail>
    </>
  );
}

/** Returns JSON with a line for each field, or the text itself if it is no JSON. */
function linesOf(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

const toEntry = (attempt: AttemptView) => ({
  key: String(attempt.number),
  at: attempt.at,
  text: `Try ${attempt.number}: ${outcomeOf(attempt)}`,
  tone: attempt.status !== null && attempt.status >= 200 && attempt.status < 300 ? ("success" as const) : ("danger" as const),
  detail: (
    <>
      {attempt.error && <p>{attempt.error}</p>}
      <details>
        <Summary>What was sent and answered</Summary>
        <div className="mt-2 flex flex-col gap-3">
          <CodeBlock text={`POST ${attempt.url}\n${attempt.requestHeaders}`} what="what was sent" />
          {attempt.status !== null && <CodeBlock text={`${attempt.status}\n\n${attempt.body ?? ""}`} what="the answer" />}
        </div>
      </details>
    </>
  ),
});

const outcomeOf = ({ status, durationMs }: AttemptView): string =>
  status === null ? "no answer" : `${status} after ${durationMs.toLocaleString("en")} ms`;
