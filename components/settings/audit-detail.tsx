import { Detail, Section } from "#components/page/detail.tsx";
import { type Fact, Facts } from "#components/page/facts.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export interface ChangedField {
  field: string;
  before: string;
  after: string;
}

interface AuditDetailProps {
  backHref: string;
  title: string;
  changes: readonly ChangedField[];
  facts: readonly Fact[];
}

/** The page of an audit entry: the changed fields, the actor and the address. */
export function AuditDetail({ backHref, title, changes, facts }: AuditDetailProps) {
  return (
    <>
      <PageHead back={{ href: backHref, label: "Audit log" }} title={title} />
      <Detail facts={<Facts facts={facts} />}>
        <Section id="changes" title="What changed">
          {changes.length === 0 ? (
            <EmptyState>This act changed no field.</EmptyState>
          ) : (
            <ul className="divide-y divide-line rounded-panel border border-line bg-surface">
              {changes.map((change) => (
                <Change key={change.field} {...change} />
              ))}
            </ul>
          )}
        </Section>
      </Detail>
    </>
  );
}

const Change = ({ field, before, after }: ChangedField) => (
  <li className="px-4 py-3">
    <p className="font-medium first-letter:uppercase">{field}</p>
    <dl className="mt-1 grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 gap-y-1">
      <dt className="text-muted">Before</dt>
      <dd className="wrap-anywhere text-muted">{before}</dd>
      <dt className="text-muted">After</dt>
      <dd className="wrap-anywhere">{after}</dd>
    </dl>
  </li>
);
