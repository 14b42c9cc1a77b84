import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { webhookSecrets } from "#db/schema/webhooks.ts";
import { invalid } from "#lib/problem.ts";
import { open, seal } from "#lib/sealed.ts";
import { HOUR_MS } from "#lib/time.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { Context } from "../../context.ts";
import { newWebhookSecret } from "./signature.ts";

/** Bounds the signature header, in which each live secret has a signature of 47 characters. */
const MAX_LIVE_SECRETS = 5;

const rowName = (merchantId: string, endpointId: string, id: string) => `${merchantId}/${endpointId}/${id}`;

interface Owner {
  merchantId: string;
  endpointId: string;
}

interface NewSecret {
  id: string;
  overlapMs: number;
}

/**
 * Adds the secret `id` to an endpoint and returns it. The older secrets sign beside it for at most `overlapMs`. If `id` exists already,
 * returns that secret. The caller has locked the endpoint, and notes a new secret in the audit (`noteNewSecret`) at the end of its
 * transaction. Throws VALIDATION_ERROR while too many secrets are live.
 */
export async function addSecret(
  tx: Tx,
  { merchantId, endpointId }: Owner,
  { id, overlapMs }: NewSecret,
): Promise<{ secret: string; isNew: boolean }> {
  const ours = and(eq(webhookSecrets.merchantId, merchantId), eq(webhookSecrets.endpointId, endpointId));
  const [known] = await tx
    .select()
    .from(webhookSecrets)
    .where(and(ours, eq(webhookSecrets.id, id)));
  if (known) return { secret: openSecret(known), isNew: false };
  if (overlapMs === 0) await tx.delete(webhookSecrets).where(ours);
  const end = sql`now() + ${overlapMs} * interval '1 ms'`;
  await tx
    .update(webhookSecrets)
    .set({ expiresAt: sql`least(${webhookSecrets.expiresAt}, ${end})` })
    .where(ours);
  await tx.delete(webhookSecrets).where(and(ours, sql`${webhookSecrets.expiresAt} <= now()`));
  const [{ live } = { live: 0 }] = await tx.select({ live: sql<number>`count(*)::int` }).from(webhookSecrets).where(ours);
  if (live >= MAX_LIVE_SECRETS) {
    throw invalid(
      "overlap_hours",
      `This endpoint has ${live} live secrets, which is the most. Wait until one ends, or send 0 to end them all.`,
    );
  }
  const secret = newWebhookSecret();
  await tx
    .insert(webhookSecrets)
    .values({ merchantId, endpointId, id, sealed: seal("webhook-secret", secret, rowName(merchantId, endpointId, id)) });
  return { secret, isNew: true };
}

export async function noteNewSecret(tx: Tx, ctx: Context, { merchantId, endpointId }: Owner, { id, overlapMs }: NewSecret): Promise<void> {
  const after = { secret_id: id, overlap_hours: overlapMs / HOUR_MS };
  await noteInAudit(tx, ctx, { merchantId, action: "webhook_secret.added", subject: endpointId, after });
}

export const openSecret = ({ merchantId, endpointId, id, sealed }: Owner & { id: string; sealed: string }) =>
  open("webhook-secret", sealed, rowName(merchantId, endpointId, id));
