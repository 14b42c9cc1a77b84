import { Detail, Section } from "#components/page/detail.tsx";
import { type Fact, Facts } from "#components/page/facts.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";

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

const COLUMNS = [
  { key: "field", label: "Field", phone: "name" },
  { key: "before", label: "Before", grows: true, phone: "state" },
  { key: "after", label: "After", grows: true, phone: "time" },
] as const;

/** One act: what it changed, who did it, and from where. */
export function AuditDetail({ backHref, title, changes, facts }: AuditDetailProps) {
  return (
    <>
      <PageHead back={{ href: backHref, label: "Audit log" }} title={title} />
      <Detail facts={<Facts facts={facts} />}>
        <Section id="changes" title="What changed">
          {changes.length === 0 ? (
            <EmptyState>This act changed no field.</EmptyState>
          ) : (
            <Table
              caption="What changed"
              columns={COLUMNS}
              rows={changes.map(({ field, before, after }) => ({
                key: field,
                cells: {
                  field,
                  before: <span className="wrap-anywhere whitespace-normal text-muted">{before}</span>,
                  after: <span className="wrap-anywhere whitespace-normal">{after}</span>,
                },
              }))}
            />
          )}
        </Section>
      </Detail>
    </>
  );
}
