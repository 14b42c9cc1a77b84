import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { found } from "#app/(dashboard)/_page/found.ts";
import { may } from "#app/(dashboard)/_page/may.ts";
import { namer } from "#app/(dashboard)/_page/namer.ts";
import { AuditDetail } from "#components/settings/audit-detail.tsx";
import { auditSentence } from "#components/settings/audit-words.ts";
import { CopyId } from "#components/ui/copy-id.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import { getAuditEntry } from "#services/audit/index.ts";
import { changesOf } from "./changes-of.ts";

export const metadata: Metadata = { title: "Audit entry" };

const NUMBER = /^[1-9]\d{0,14}$/;

export default async function AuditEntryPage({ params }: PageProps<"/b/[business]/[mode]/settings/audit/[seq]">) {
  const page = await requireMember(params);
  const closed = closedTo(page, getAuditEntry.needs.permission, "Audit entry");
  if (closed) return closed;
  const { ctx, base } = page;
  const { seq: text } = await params;
  if (!NUMBER.test(text)) notFound();
  const entry = await found(getAuditEntry(ctx, Number(text)));
  const { seq, mode, actor, action, subject, reason, address, requestId, createdAt } = entry;
  const nameOf = await namer(ctx);
  const path = `${base}/settings/audit`;
  return (
    <AuditDetail
      backHref={path}
      title={auditSentence(action)}
      changes={changesOf(entry, { member: (id) => nameOf({ type: "member", id }) })}
      facts={[
        { label: "By", value: nameOf(actor) },
        { label: "Time", value: exactTime(createdAt) },
        { label: "About", value: mode === null ? "The whole business" : mode === "test" ? "Test mode" : "Live mode" },
        { label: "Thing", value: <CopyId id={subject} what="id" /> },
        { label: "Other entries about it", value: <TextLink href={`${path}?subject=${encodeURIComponent(subject)}`}>Show them</TextLink> },
        { label: "Reason", value: reason },
        { label: "From", value: address },
        {
          label: "Request",
          value:
            requestId &&
            (may(ctx, "requests:read") ? <TextLink href={`${base}/developers/requests/${requestId}`}>{requestId}</TextLink> : requestId),
        },
        { label: "Number", value: seq.toLocaleString("en") },
      ]}
    />
  );
}
