import { Amount } from "#components/ui/amount.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { StatePill, type StateTone } from "#components/ui/state-pill.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#lib/time.ts";

interface Example {
  description: string;
  customer: string;
  state: string;
  tone: StateTone;
  minor: string;
  ageMs: number;
}

const EXAMPLES: Example[] = [
  { description: "Two bags of rice", customer: "Ngozi Eze", state: "Paid", tone: "success", minor: "500000", ageMs: 12 * MINUTE_MS },
  { description: "School fees", customer: "Adébáyọ̀ Ọlátúnjí", state: "Waiting", tone: "waiting", minor: "12000000", ageMs: 3 * HOUR_MS },
  {
    description: "Generator parts, and everything else that the workshop in Onitsha asked for in March",
    customer: "Chukwuemeka Onyekachi Nwachukwu-Okonkwo",
    state: "Expired",
    tone: "warning",
    minor: "999999999999",
    ageMs: 2 * DAY_MS,
  },
  { description: "Airtime", customer: "Musa Ɗanladi", state: "Failed", tone: "danger", minor: "20000", ageMs: 400 * DAY_MS },
];

const COLUMNS = [
  { key: "description", label: "Description", grows: true, phone: "name" },
  { key: "reference", label: "Reference" },
  { key: "customer", label: "Customer", grows: true },
  { key: "state", label: "Status", phone: "state" },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
  { key: "created", label: "Created", phone: "time" },
] as const;

/** A list of invented payment links. */
export function LinksTable({ now, count }: { now: Date; count: number }) {
  const rows = Array.from({ length: count }, (_, row) => EXAMPLES[row % EXAMPLES.length]).flatMap((example, row) =>
    example ? [rowOf(example, row, now)] : [],
  );
  return (
    <>
      <Table caption="Payment links" columns={COLUMNS} rows={rows} />
      <Pagination olderHref="?before=1" />
    </>
  );
}

const rowOf = ({ description, customer, state, tone, minor, ageMs }: Example, row: number, now: Date) => ({
  key: String(row),
  href: `/ui?row=${row}`,
  cells: {
    description,
    reference: <CopyId id={`8fK2mPq7Lw4Tz${row}x9Q`} what="reference" />,
    customer,
    state: <StatePill tone={tone}>{state}</StatePill>,
    amount: <Amount minor={minor} currency="NGN" />,
    created: <Time at={new Date(now.getTime() - ageMs)} now={now} />,
  },
});
