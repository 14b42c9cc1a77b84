import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { namer } from "#app/(dashboard)/_page/namer.ts";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { AuditList, auditFilters } from "#components/settings/audit-list.tsx";
import { auditSentence } from "#components/settings/audit-words.ts";
import { ListAuditQuery, listAudit } from "#services/audit/index.ts";
import { listTeam } from "#services/members/index.ts";
import { SettingsTabs } from "../tabs.tsx";

export const metadata: Metadata = { title: "Audit log" };

const { about: ABOUT } = ListAuditQuery.shape;

export default async function AuditPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/settings/audit">) {
  const page = await requireMember(params);
  const closed = closedTo(page, listAudit.needs.permission, "Audit log");
  if (closed) return closed;
  const { ctx, base } = page;
  const now = new Date();
  const path = `${base}/settings/audit`;
  const filters = auditFilters((await listTeam(ctx)).map(({ userId, name }) => ({ value: userId, label: name })));
  const asked = askedOf(await searchParams, filters);
  const { by, about, subject } = asked.values;
  const wanted = { by, subject, about: choiceOf(about, ABOUT.unwrap().options), ...createdRangeOf(asked, now) };
  const { items, place } = await readList(path, asked, (request) => listAudit(ctx, { ...request, ...wanted }));
  const nameOf = await namer(ctx);
  return (
    <AuditList
      tabs={<SettingsTabs page={page} current="audit" />}
      rows={items.map(({ seq, action, actor, subject: thing, address, createdAt }) => ({
        key: String(seq),
        href: `${path}/${seq}`,
        act: auditSentence(action),
        by: nameOf(actor),
        subject: thing,
        address,
        at: createdAt,
      }))}
      filters={filters}
      values={asked.values}
      csvHref={csvHref("audit", ctx.merchant.id, wanted)}
      place={place}
      now={now}
    />
  );
}
