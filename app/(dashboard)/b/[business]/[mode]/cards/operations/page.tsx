import type { Metadata } from "next";
import { NewRows } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { OPERATION_FILTERS, OperationsList } from "#components/cards/operations-list.tsx";
import { listOperationsOfCards } from "#services/cards/index.ts";
import { toOperationRow } from "../to-view.ts";

export const metadata: Metadata = { title: "Card money" };

const TYPES = ["issue", "fund", "unload", "freeze", "unfreeze", "terminate"] as const;
const STATUSES = ["processing", "completed", "failed"] as const;

export default async function OperationsPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/cards/operations">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "cards");
  if (closed) return closed;
  const { ctx, base } = page;
  const now = new Date();
  const path = `${base}/cards`;
  const asked = askedOf(await searchParams, OPERATION_FILTERS);
  const { type, status } = asked.values;
  const filters = { type: choiceOf(type, TYPES), status: choiceOf(status, STATUSES), ...createdRangeOf(asked, now) };
  const { items, place } = await readList(`${path}/operations`, asked, (request) => listOperationsOfCards(ctx, { ...request, ...filters }));
  return (
    <>
      <OperationsList
        rows={items.map((operation) => toOperationRow(operation, path))}
        values={asked.values}
        place={place}
        path={path}
        csvHref={csvHref("card-operations", ctx.merchant.id, filters)}
        now={now}
      />
      {asked.cursor === undefined && <NewRows />}
    </>
  );
}
