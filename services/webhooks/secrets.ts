import { and, desc, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { webhookSecrets } from "#db/schema/webhooks.ts";
import { open, seal } from "#lib/sealed.ts";
import { newWebhookSecret } from "./signature.ts";

/** More than these would not fit into a header that every server takes. */
const MOST_LIVE_SECRETS = 5;

const rowName = (merchantId: string, endpointId: string, id: string) => `${merchantId}/${endpointId}/${id}`;

interface Owner {
  merchantId: string;
  endpointId: string;
}

/**
 * Makes the secret `id` the newest of an endpoint; those before it sign on for at most `overlapMs`. The same id again answers the same
 * secret. The caller has locked the endpoint.
 */
export async function addSecret(
  tx: Tx,
  { merchantId, endpointId }: Owner,
  { id, overlapMs }: { id: string; overlapMs: number },
): Promise<string> {
  const ours = and(eq(webhookSecrets.merchantId, merchantId), eq(webhookSecrets.endpointId, endpointId));
  const [known] = await tx
    .select()
    .from(webhookSecrets)
    .where(and(ours, eq(webhookSecrets.id, id)));
  if (known) return openSecret(known);
  if (overlapMs === 0) await tx.delete(webhookSecrets).where(ours);
  const end = sql`now() + ${overlapMs} * interval '1 ms'`;
  await tx
    .update(webhookSecrets)
    .set({ expiresAt: sql`least(${webhookSecrets.expiresAt}, ${end})` })
    .where(ours);
  await tx.delete(webhookSecrets).where(and(ours, sql`${webhookSecrets.expiresAt} <= now()`));
  const older = await tx
    .select({ id: webhookSecrets.id })
    .from(webhookSecrets)
    .where(ours)
    .orderBy(desc(webhookSecrets.createdAt), desc(webhookSecrets.id))
    .offset(MOST_LIVE_SECRETS - 1);
  for (const { id: oldest } of older) await tx.delete(webhookSecrets).where(and(ours, eq(webhookSecrets.id, oldest)));
  const secret = newWebhookSecret();
  await tx
    .insert(webhookSecrets)
    .values({ merchantId, endpointId, id, sealed: seal("webhook-secret", secret, rowName(merchantId, endpointId, id)) });
  return secret;
}

export const openSecret = ({ merchantId, endpointId, id, sealed }: Owner & { id: string; sealed: string }) =>
  open("webhook-secret", sealed, rowName(merchantId, endpointId, id));
