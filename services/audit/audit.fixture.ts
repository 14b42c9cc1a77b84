import { type Sql, sql, type Tx, transaction } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { systemContext } from "../context.ts";
import { anOperator } from "../merchants/merchant.fixture.ts";
import type { AuditHead } from "./audit-head.ts";
import { checkAudit } from "./check-audit.ts";
import { noteInAudit } from "./note.ts";

/** Creates a business without members or merchants. Returns its id. */
export async function aBareBusiness(): Promise<string> {
  const id = newId("business");
  await sql()`insert into businesses (id, name) values (${id}, 'Mama Put')`;
  return id;
}

/** Notes an entry about a business in the caller's transaction. */
export const noteIn = (tx: Tx, businessId: string, subject = "s"): Promise<void> =>
  noteInAudit(tx, anOperator, { businessId, action: "thing.done", subject, before: { n: 1 }, after: { b: "x", a: ["y"], c: null } });

export const note = (businessId: string, subject?: string): Promise<void> => transaction((tx) => noteIn(tx, businessId, subject));

/** Creates a business with a chain of entries. Returns its id. */
export async function aChain(length: number): Promise<string> {
  const businessId = await aBareBusiness();
  await transaction(async (tx) => {
    for (let i = 1; i <= length; i++) await noteIn(tx, businessId, `subject ${i}`);
  });
  return businessId;
}

interface Numbered {
  seq: number;
  hash: string;
  subject: string;
  created_at: string;
}

/** Returns the entries of a business by their numbers. */
export const entriesOf = (businessId: string) => sql()<Numbered[]>`
  select seq::int, hash, subject, created_at::text from audit_entries where business_id = ${businessId} order by seq`;

export async function headOf(businessId: string): Promise<AuditHead> {
  const [head] = await sql()<{ seq: number; hash: string }[]>`select seq::int, hash from audit_heads where business_id = ${businessId}`;
  if (!head) throw new Error(`${businessId} has no head`);
  return { businessId, ...head };
}

/** Returns what a check of the whole audit finds about one business, as `seq: problem`. */
export async function findingsOf(businessId: string, against: AuditHead[] = []): Promise<string[]> {
  const { findings } = await checkAudit(systemContext("test"), { against });
  return findings.filter((finding) => finding.businessId === businessId).map(({ seq, problem }) => `${seq}: ${problem}`);
}

/** Changes the audit as an owner of the database could: with the triggers turned off. */
export async function asOwner(change: (tx: Parameters<Parameters<Sql["begin"]>[1]>[0]) => Promise<unknown>): Promise<void> {
  await sql().begin(async (tx) => {
    await tx`alter table audit_entries disable trigger all`;
    await change(tx);
    await tx`alter table audit_entries enable trigger all`;
  });
}
