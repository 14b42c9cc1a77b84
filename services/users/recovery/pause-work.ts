import type { Tx } from "#db/client.ts";
import { isoOrNull } from "#lib/time.ts";
import { raiseOperatorAlert } from "../../alerts/index.ts";
import { pauseKeysMadeBy } from "../../api-keys/index.ts";
import { type ActOfMember, listActsOf, noteInAudit } from "../../audit/index.ts";
import { stopOrdersOf } from "../../bulk/index.ts";
import type { Context } from "../../context.ts";
import { expireRefundsOf } from "../../expire-refunds-of.ts";
import { pauseInvitationsOf } from "../../members/index.ts";
import { stopPayoutWorkOf } from "../../payouts/index.ts";
import { disableForSafety, ENDPOINT_ACTIONS } from "../../webhooks/index.ts";
import { businessesOf, businessOfMerchants } from "../businesses-of.ts";
import { type ChangeOfTeam, changesOfTeams, TEAM_ACTIONS } from "../team-acts.ts";

/** The acts of an account since a time, which a thief may have done. */
export interface DeniedWork {
  since: Date;
  acts: ActOfMember[];
  /** Changes of teams. They are not undone. */
  changes: ChangeOfTeam[];
  /** The businesses of the account, and those in which it has acted since, even if it has left them. Sorted. */
  businessIds: string[];
}

/** Returns the acts of an account since a time. */
export async function findDeniedWork(tx: Tx, userId: string, since: Date): Promise<DeniedWork> {
  const acts = await listActsOf(tx, { userId, since, actions: [...ENDPOINT_ACTIONS, ...TEAM_ACTIONS] });
  const changes = await changesOfTeams(tx, userId, since, acts);
  const businessIds = new Set([...(await businessesOf(tx, userId)), ...[...acts, ...changes].map(({ businessId }) => businessId)]);
  return { since, acts, changes, businessIds: [...businessIds].toSorted() };
}

/**
 * Stops what the account has made or changed since in each business, also in one that it has left, and notes it there: API keys, invitations, webhook
 * endpoints, running files of top-ups, bank accounts, refunds that wait for an account, and what was prepared to pay out. Alerts the operators of a business that got another owner: they decide, or its owners do.
 */
export async function pauseWork(tx: Tx, own: Context, userId: string, { since, acts, changes, businessIds }: DeniedWork): Promise<void> {
  const keys = await pauseKeysMadeBy(tx, { userId, since });
  const orders = await stopOrdersOf(tx, userId);
  const payouts = await stopPayoutWorkOf(tx, { userId, since });
  const refunds = await expireRefundsOf(tx, { userId, since });
  const businessOf = await businessOfMerchants(
    tx,
    [...orders, ...payouts.accounts, ...payouts.requests, ...payouts.rules, ...refunds].map(({ merchantId }) => merchantId),
  );
  const all = new Set([...businessIds, ...keys.keys(), ...businessOf.values()]);
  for (const businessId of [...all].toSorted()) {
    const invitations = await pauseInvitationsOf(tx, { businessId, userId, since });
    const endpoints = await disableEndpoints(tx, businessId, acts);
    await alertOnNewOwners(tx, { businessId, userId, changes });
    const idsHere = (things: { merchantId: string; id: string }[]) =>
      things.flatMap(({ merchantId, id }) => (businessOf.get(merchantId) === businessId ? [id] : [])).toSorted();
    const after = {
      ...{ changes_since: isoOrNull(since), paused_keys: keys.get(businessId) ?? [], paused_invitations: invitations },
      ...{ disabled_endpoints: endpoints, stopped_bulk_orders: idsHere(orders) },
      ...{ removed_bank_accounts: idsHere(payouts.accounts), withdrawn_payout_requests: idsHere(payouts.requests) },
      ended_refunds: idsHere(refunds),
      dropped_payout_rules: idsHere(payouts.rules.map(({ merchantId }) => ({ merchantId, id: merchantId }))),
    };
    await noteInAudit(tx, own, { businessId, action: "member.changes_denied", subject: userId, after });
  }
}

async function disableEndpoints(tx: Tx, businessId: string, acts: readonly ActOfMember[]): Promise<string[]> {
  const touched = acts.filter((act) => act.businessId === businessId && ENDPOINT_ACTIONS.some((action) => action === act.action));
  const byMerchant = Map.groupBy(touched, ({ merchantId }) => merchantId);
  const disabled: string[] = [];
  for (const [merchantId, ones] of [...byMerchant].toSorted()) {
    if (merchantId === null) throw new Error(`an act about a webhook endpoint of ${businessId} has no mode`);
    disabled.push(...(await disableForSafety(tx, merchantId, [...new Set(ones.map(({ subject }) => subject))])));
  }
  return disabled.toSorted();
}

async function alertOnNewOwners(
  tx: Tx,
  { businessId, userId, changes }: { businessId: string; userId: string; changes: readonly ChangeOfTeam[] },
): Promise<void> {
  const owners = changes.filter((change) => change.businessId === businessId && change.to === "owner");
  if (owners.length === 0) return;
  const named = owners.map((owner) => owner.userId ?? "a person whom it invited").join(", ");
  const message = `${userId} says that somebody else was in the account, which has made an owner of ${businessId} meanwhile: ${named}. The role stays. Ask the owners; until it is clear, npm run oja -- suspend MERCHANT stops the business.`;
  await raiseOperatorAlert(tx, "live", { type: "team.contested", resourceId: businessId, message });
}
