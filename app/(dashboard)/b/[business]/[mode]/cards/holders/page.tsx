import type { Metadata } from "next";
import { NewRows } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf } from "#app/(dashboard)/_page/asked.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { HOLDER_FILTERS, HoldersList } from "#components/cards/holders-list.tsx";
import { listCardholders } from "#services/cards/index.ts";
import { CreateCardholder } from "../create-cardholder.tsx";
import { NotSetUp } from "../issuing.tsx";
import { toHolderRow } from "../to-view.ts";

export const metadata: Metadata = { title: "Cardholders" };

const STATUSES = ["PENDING", "APPROVED", "REJECTED"] as const;

export default async function HoldersPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/cards/holders">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "cards");
  if (closed) return closed;
  const { ctx, base } = page;
  const path = `${base}/cards`;
  const asked = askedOf(await searchParams, HOLDER_FILTERS);
  // Emails are kept in lower case.
  const filters = { kyc_status: choiceOf(asked.values.kyc_status, STATUSES), email: asked.values.email?.toLowerCase() };
  const { items, place } = await readList(`${path}/holders`, asked, (request) => listCardholders(ctx, { ...request, ...filters }));
  const create = ctx.merchant.issuer === null ? <NotSetUp /> : <CreateCardholder path={path} />;
  return (
    <>
      <HoldersList
        rows={items.map((holder) => toHolderRow(holder, path))}
        values={asked.values}
        place={place}
        path={path}
        create={mayChange(ctx, "cards:write") ? create : undefined}
        csvHref={csvHref("cardholders", ctx.merchant.id, filters)}
        now={new Date()}
      />
      {asked.cursor === undefined && <NewRows />}
    </>
  );
}
