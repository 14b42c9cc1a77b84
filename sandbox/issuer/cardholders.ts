import { sql } from "#db/client.ts";
import { randomBase62 } from "#lib/secrets.ts";
import type { SandboxIssuerName } from "./issuer-name.ts";
import { queueNotices } from "./news.ts";
import { Unknown } from "./refusals.ts";

export interface Cardholder {
  id: string;
  reference: string;
  state: "review" | "approved" | "rejected";
}

interface NewCardholder {
  reference: string;
  name: string;
  email: string;
}

/** Time from the request to the decision about an identity. */
const DECIDES_AFTER_MS = 1_500;
const NEVER = "infinity";

/** Creates a cardholder whose identity is decided later. By email: `+rejected` is rejected, `+pending` is never decided, others are approved. */
export async function createCardholder(issuer: SandboxIssuerName, { reference, name, email }: NewCardholder): Promise<Cardholder> {
  if (issuer === "sandbox") {
    const known = await findCardholders(issuer, { reference });
    if (known[0]) return known[0];
  }
  const decidesAt = email.includes("+pending") ? NEVER : new Date(Date.now() + DECIDES_AFTER_MS).toISOString();
  const [made] = await sql()<Cardholder[]>`
    insert into sandbox.cardholders (house, id, reference, name, email, decides_at)
    values (${issuer}, ${`chd_${randomBase62(16)}`}, ${reference}, ${name}, ${email}, ${decidesAt}::text::timestamptz)
    returning id, reference, state`;
  if (!made) throw new Error("the cardholder that was just made is gone");
  return made;
}

export async function findCardholders(issuer: SandboxIssuerName, { reference }: { reference: string }): Promise<Cardholder[]> {
  return sql()<Cardholder[]>`
    select id, reference, state from sandbox.cardholders where house = ${issuer} and reference = ${reference} order by created_at limit 10`;
}

/** Returns a cardholder. Throws `Unknown`. */
export async function getCardholder(issuer: SandboxIssuerName, id: string): Promise<Cardholder> {
  const [found] = await sql()<Cardholder[]>`select id, reference, state from sandbox.cardholders where house = ${issuer} and id = ${id}`;
  if (!found) throw new Unknown("cardholder");
  return found;
}

/** Decides the identities that are due, and queues a notice of each. */
export async function decideCardholders(): Promise<void> {
  await sql().begin(async (tx) => {
    const decided = await tx<{ house: SandboxIssuerName; id: string }[]>`
      update sandbox.cardholders set state = case when email like '%+rejected%' then 'rejected' else 'approved' end
      where (house, id) in (
        select house, id from sandbox.cardholders where state = 'review' and decides_at <= now() limit 100 for update skip locked)
      returning house, id`;
    for (const { house: issuer, id } of decided) await queueNotices(tx, issuer, { kind: "cardholder", id });
  });
}
