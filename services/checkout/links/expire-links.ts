import { and, eq, lte, notInArray, sql } from "drizzle-orm";
import { db, isAboutData, transaction } from "#db/client.ts";
import { OPENS_DUE_LINKS, paymentLinks } from "#db/schema/checkout.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import type { SystemContext } from "../../context.ts";
import { appendEvent } from "../../events/index.ts";
import { verb } from "../../verb.ts";
import { linkAsEventData } from "./link-as-event-data.ts";

/**
 * Expires one link if its time is over. Returns false where the link is not pending any more, or not due. Throws where a lock is not free within
 * `maxLockWaitMs`; without that, waits. Locks: link, event counter.
 */
export async function expireLink(merchantId: string, linkId: string, maxLockWaitMs = 0): Promise<boolean> {
  return transaction(async (tx) => {
    if (maxLockWaitMs > 0) await tx.execute(sql`select set_config('lock_timeout', ${String(maxLockWaitMs)}, true)`);
    // A payment may update the link at the same time. The transaction whose update returns a row wins.
    const [link] = await tx
      .update(paymentLinks)
      .set({ status: "expired" })
      .where(
        and(
          eq(paymentLinks.merchantId, merchantId),
          eq(paymentLinks.id, linkId),
          eq(paymentLinks.status, "pending"),
          lte(paymentLinks.expiresAt, sql`now()`),
        ),
      )
      .returning({ id: paymentLinks.id });
    if (!link) return false;
    await appendEvent(tx, merchantId, "checkout.expired", await linkAsEventData(tx, merchantId, linkId));
    return true;
  });
}

/** The sweep waits this long for a lock that a payment of the link or other work of its merchant has. */
const MAX_LOCK_WAIT_MS = 500;

/** The links that a sweep leaves to the next one. */
interface LeftOut {
  /** Links that are locked, or whose merchant's event counter is locked. */
  merchants: Set<string>;
  /** Links whose expiry failed with an error. */
  links: Set<string>;
}

/**
 * Expires up to `limit` links whose time is over, of all merchants, oldest first. A link that is locked, or that cannot be expired, is logged and
 * left to the next sweep, and delays no other. Returns how many were due.
 */
export const expireDueLinks = verb({ actor: ["system"] }, async (_ctx: SystemContext, limit: number = 500): Promise<number> => {
  const leftOut: LeftOut = { merchants: new Set(), links: new Set() };
  const size = () => leftOut.merchants.size + leftOut.links.size;
  for (let done = 0; ; ) {
    const before = size();
    const due = await findDue(limit, leftOut);
    // The links of one merchant are expired one after the other, because they need the same event counter.
    await forEachAtOnce(Object.values(Object.groupBy(due, ({ merchantId }) => merchantId)), (links) => expireLinks(links ?? [], leftOut));
    done += due.length;
    if (due.length < limit || size() === before) return done;
  }
});

async function expireLinks(links: readonly DueLink[], leftOut: LeftOut): Promise<void> {
  for (const { merchantId, id } of links) {
    try {
      await expireLink(merchantId, id, MAX_LOCK_WAIT_MS);
    } catch (error) {
      log().warn({ merchantId, linkId: id, err: error }, "a link could not be expired; the next sweep tries again");
      if (isAboutData(error)) leftOut.links.add(id);
      else {
        leftOut.merchants.add(merchantId);
        return;
      }
    }
  }
}

type DueLink = Awaited<ReturnType<typeof findDue>>[number];

const findDue = (limit: number, { merchants, links }: LeftOut) =>
  db()
    .select({ merchantId: paymentLinks.merchantId, id: paymentLinks.id })
    .from(paymentLinks)
    .where(
      and(
        eq(paymentLinks.status, "pending"),
        sql.raw(OPENS_DUE_LINKS),
        lte(paymentLinks.expiresAt, sql`now()`),
        merchants.size === 0 ? undefined : notInArray(paymentLinks.merchantId, [...merchants]),
        links.size === 0 ? undefined : notInArray(paymentLinks.id, [...links]),
      ),
    )
    .orderBy(paymentLinks.expiresAt)
    .limit(limit);
