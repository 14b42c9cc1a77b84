import type { TransactionSql } from "postgres";
import { randomBase62 } from "#lib/secrets.ts";
import type { SandboxIssuerName } from "./issuer-name.ts";

export type Transaction = TransactionSql<{ bigint: bigint }>;

/** Queues `copies` of a notice about a card, a cardholder or a request. Returns their ids, so that the caller can send them at once. */
export async function queueNotices(
  tx: Transaction,
  issuer: SandboxIssuerName,
  about: { kind: "card" | "cardholder" | "request"; id: string },
  copies = 1,
): Promise<bigint[]> {
  const signed = issuer === "sandbox";
  const noticeId = `ntc_${randomBase62(20)}`;
  const body = signed
    ? { id: noticeId, about: about.kind, [about.kind]: about.id }
    : { event: `${about.kind}.changed`, objectId: about.id };
  const queued = await tx<{ id: bigint }[]>`
    insert into sandbox.notices (notice_id, path, is_signed, body)
    select ${noticeId}, ${`/api/providers/${issuer}/card-notices`}, ${signed}, ${JSON.stringify(body)}::text::jsonb from generate_series(1, ${copies}::int)
    returning id`;
  return queued.map(({ id }) => id);
}
