import type { Metadata } from "next";
import { Newer } from "#app/_client/newer.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { may } from "#app/(dashboard)/_page/may.ts";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { RequestsList, requestFilters } from "#components/developers/requests-list.tsx";
import { listApiKeys } from "#services/api-keys/index.ts";
import type { MemberContext } from "#services/context.ts";
import { groupFailures, ListRequestsQuery, listRequests } from "#services/requests/index.ts";
import { queryOf } from "../query-of.ts";
import { DeveloperTabs } from "../tabs.tsx";
import { callerNamer } from "./caller-namer.ts";
import { toFailureRow, toRequestRow } from "./to-view.ts";

export const metadata: Metadata = { title: "Requests" };

/** Keys that can be chosen; the newest. */
const MAX_KEYS = 50;

const { method: METHOD, status: STATUS, error_code: ERROR_CODE, caller: CALLER } = ListRequestsQuery.shape;

export default async function RequestsPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/developers/requests">) {
  const page = await requireMember(params);
  const closed = closedTo(page, listRequests.needs.permission, "Requests");
  if (closed) return closed;
  const { ctx, base } = page;
  const now = new Date();
  const path = `${base}/developers/requests`;
  const filters = requestFilters(await keyChoices(ctx));
  const asked = askedOf(await searchParams, filters);
  const { values } = asked;
  const wanted = {
    method: choiceOf(values.method, METHOD.unwrap().options),
    status: choiceOf(values.status, STATUS.unwrap().options),
    error_code: choiceOf(values.error_code, ERROR_CODE.unwrap().options),
    caller: choiceOf(values.caller, CALLER.unwrap().options),
    ...{ path: values.path, key_id: values.key_id },
    ...createdRangeOf(asked, now),
  };
  const [{ items, place }, { groups }] = await Promise.all([
    readList(path, asked, (request) => listRequests(ctx, { ...request, ...wanted })),
    groupFailures(ctx),
  ]);
  const callerOf = await callerNamer(ctx, items);
  return (
    <>
      <RequestsList
        tabs={<DeveloperTabs page={page} current="requests" />}
        rows={items.map((request) => toRequestRow(request, path, callerOf))}
        failures={groups.map((group) => toFailureRow(group, path))}
        filters={filters}
        values={values}
        csvHref={csvHref("requests", ctx.merchant.id, wanted)}
        place={place}
        keysHref={may(ctx, "keys:write") ? `${base}/developers` : undefined}
        now={now}
      />
      {asked.cursor === undefined && <Newer list="requests" query={queryOf(wanted)} newestId={items[0]?.id} />}
    </>
  );
}

async function keyChoices(ctx: MemberContext) {
  if (!may(ctx, "keys:write")) return [];
  const { items } = await listApiKeys(ctx, { limit: MAX_KEYS });
  return items.map(({ id, name }) => ({ value: id, label: name }));
}
