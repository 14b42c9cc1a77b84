import type { ReactNode } from "react";
import { PageHead } from "#components/page/page-head.tsx";
import { ENDPOINT_STATES, State } from "#components/page/states.tsx";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";

export interface EndpointRow {
  id: string;
  href: string;
  url: string;
  state: keyof typeof ENDPOINT_STATES;
  events: string;
  /** Deliveries of the last day. */
  delivered: string;
  retrying: string;
  failed: string;
}

interface WebhooksListProps {
  tabs: ReactNode;
  rows: readonly EndpointRow[];
  /** Absent for readers who may not. */
  create: ReactNode;
  /** In test mode, where this machine may be called: a command that receives. */
  command: ReactNode;
}

const COLUMNS = [
  { key: "url", label: "Address", grows: true, phone: "name" },
  { key: "state", label: "State", phone: "state" },
  { key: "events", label: "Events" },
  { key: "delivered", label: "Delivered in 24 h", figures: true, phone: "note" },
  { key: "retrying", label: "Retrying", figures: true },
  { key: "failed", label: "Failed in 24 h", figures: true },
] as const;

/** The addresses of a merchant that get its events. */
export function WebhooksList({ tabs, rows, create, command }: WebhooksListProps) {
  return (
    <>
      <PageHead title="Webhooks" actions={create && rows.length > 0 && <PrimaryAction>{create}</PrimaryAction>} />
      {tabs}
      {rows.length === 0 ? (
        <EmptyState action={create} command={command}>
          A webhook endpoint is an address of your server. Oja calls it when a payment, a card or a top-up changes.
        </EmptyState>
      ) : (
        <Table
          caption="Webhook endpoints"
          columns={COLUMNS}
          rows={rows.map(({ id, href, url, state, events, delivered, retrying, failed }) => ({
            key: id,
            href,
            cells: {
              ...{ url, events, retrying, failed },
              state: <State of={ENDPOINT_STATES[state]} />,
              delivered: <LastDay delivered={delivered} retrying={retrying} failed={failed} />,
            },
          }))}
        />
      )}
    </>
  );
}

/** A column of its own each on a wide screen, and one line on a phone. */
const LastDay = ({ delivered, retrying, failed }: Pick<EndpointRow, "delivered" | "retrying" | "failed">) => (
  <>
    <span className="sm:hidden">In 24 h: </span>
    {delivered}
    <span className="sm:hidden">
      {" "}
      delivered, {retrying} retrying, {failed} failed
    </span>
  </>
);
