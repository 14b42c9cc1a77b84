import type { ReactNode } from "react";
import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { choicesOf, KYC_STATES, State } from "#components/page/states.tsx";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { CardsTabs, NoAction } from "./cards-tabs.tsx";

export const HOLDER_FILTERS: readonly Filter[] = [
  { kind: "choice", name: "kyc_status", label: "Any identity check", choices: choicesOf(KYC_STATES) },
  { kind: "text", name: "email", label: "Email" },
];

export interface HolderRow {
  id: number;
  href: string;
  name: string;
  email: string;
  phone: string | null;
  kycStatus: keyof typeof KYC_STATES;
  createdAt: Date;
}

interface HoldersListProps {
  rows: readonly HolderRow[];
  values: FilterValues;
  place: ListPlace;
  path: string;
  create: ReactNode;
  csvHref: string;
  now: Date;
}

const COLUMNS = [
  { key: "name", label: "Name", grows: true, phone: "name" },
  { key: "email", label: "Email", grows: true },
  { key: "phone", label: "Phone", grows: true },
  { key: "state", label: "Identity", phone: "state" },
  { key: "created", label: "Created", phone: "time" },
] as const;

/** The people to whom a merchant issues cards, newest first. */
export function HoldersList({ rows, values, place, path, create, csvHref, now }: HoldersListProps) {
  const isEmpty = rows.length === 0;
  const isFirst = isEmpty && !place.isFiltered && place.newerHref === undefined;
  return (
    <>
      <PageHead title="Cardholders" actions={create && !isFirst ? <PrimaryAction>{create}</PrimaryAction> : <NoAction />} />
      <CardsTabs path={path} current="holders" />
      <ListPage
        things="cardholders"
        filters={<Filters filters={HOLDER_FILTERS} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={isEmpty}
        empty={
          <EmptyState action={create}>
            A cardholder is a person to whom you issue cards. The card's issuer checks each person's identity first.
          </EmptyState>
        }
      >
        <Table caption="Cardholders" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      </ListPage>
    </>
  );
}

const toRow = ({ id, href, name, email, phone, kycStatus, createdAt }: HolderRow, now: Date) => ({
  key: String(id),
  href,
  cells: {
    name,
    email,
    phone: phone ?? <span className="text-muted">–</span>,
    state: <State of={KYC_STATES[kycStatus]} />,
    created: <Time at={createdAt} now={now} />,
  },
});
