import type { ReactNode } from "react";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { KEY_STATES, State } from "#components/page/states.tsx";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";

export interface KeyRow {
  id: string;
  href: string;
  name: string;
  publicKey: string;
  state: keyof typeof KEY_STATES;
  /** The permissions, in words. */
  may: string;
  lastUsedAt: Date | null;
}

interface KeysListProps {
  tabs: ReactNode;
  rows: readonly KeyRow[];
  place: ListPlace;
  /** Absent while the business is suspended. */
  create: ReactNode;
  now: Date;
}

const COLUMNS = [
  { key: "name", label: "Name", grows: true, phone: "name" },
  { key: "publicKey", label: "Public key", phone: "figure" },
  { key: "state", label: "State", phone: "state" },
  { key: "may", label: "May", grows: true },
  { key: "used", label: "Last used", phone: "time" },
] as const;

/** The API keys of a merchant, newest first. */
export function KeysList({ tabs, rows, place, create, now }: KeysListProps) {
  return (
    <>
      <PageHead title="API keys" actions={create && rows.length > 0 && <PrimaryAction>{create}</PrimaryAction>} />
      {tabs}
      <ListPage
        things="keys"
        place={place}
        isEmpty={rows.length === 0}
        empty={<EmptyState action={create}>Your server proves with a key that it is yours. Keys that you make stand here.</EmptyState>}
      >
        <Table
          caption="API keys"
          columns={COLUMNS}
          rows={rows.map(({ id, href, name, publicKey, state, may, lastUsedAt }) => ({
            key: id,
            href,
            cells: {
              name,
              publicKey: <CopyId id={publicKey} what="public key" />,
              state: <State of={KEY_STATES[state]} />,
              may,
              used: <LastUsed at={lastUsedAt} now={now} />,
            },
          }))}
        />
      </ListPage>
    </>
  );
}

/** A phone does not show the column's name. */
const LastUsed = ({ at, now }: { at: Date | null; now: Date }) => (
  <>
    <span className="sm:hidden">Last used: </span>
    {at ? <Time at={at} now={now} /> : <span className="text-muted max-sm:lowercase">Never</span>}
  </>
);
