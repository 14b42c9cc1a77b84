import { sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { newLinkReference } from "#lib/references.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { OneTimeAccount } from "#providers/bank.ts";
import { type MerchantContext, madeBy } from "../context.ts";
import { banks } from "../providers/index.ts";
import type { CreatePaymentLink } from "./contract.ts";
import type { PaymentLink } from "./payment-link.ts";
import { findLinkByReference } from "./read-links.ts";
import { getReplaceableLink } from "./replaceable-link.ts";
import { findStoredLink, linkFromRaw, type RawLink } from "./rows.ts";

export const LINK_VALID_FOR_MS = 30 * MINUTE_MS;
const UNIQUE_VIOLATION = "23505";

/**
 * Opens a one-time account and stores the link: one call, one commit. Nothing is claimed before the call, because nothing can be lost: no
 * payer knows the account until the link is stored, and a replay asks the bank with the same reference, which the claim of the
 * Idempotency-Key chose. With `replaces`, the link that is replaced is read before the call and checked again by the statement that stores.
 * Throws VALIDATION_ERROR, PROVIDER_UNAVAILABLE, and PROVIDER_ERROR (outcome `not_executed` where the bank refuses, `unknown` where it does
 * not answer).
 */
export async function createPaymentLink(ctx: MerchantContext, request: CreatePaymentLink): Promise<PaymentLink> {
  refuseUnsafeCallback(ctx, request.callback_url);
  const reference = ctx.resourceId ?? newLinkReference(ctx.merchant.number);
  if (ctx.resumed) {
    const made = await findLinkByReference(ctx.merchant.id, reference);
    if (made) return made;
  }
  const replaced = request.replaces === undefined ? undefined : await getReplaceableLink(ctx, request.replaces, reference);
  const bank = banks.for(ctx.merchant);
  const outcome = await bank.openAccount({
    reference,
    amount: request.amount,
    accountName: ctx.merchant.businessName,
    validForMs: LINK_VALID_FOR_MS,
  });
  switch (outcome.status) {
    case "opened": {
      const opened = { reference, provider: bank.name, account: outcome.account, replaced };
      return finish(ctx, await storeLink(ctx, request, opened), opened);
    }
    case "refused":
      throw new Problem("PROVIDER_ERROR", `${outcome.reason} No link was made. Try again.`, { outcome: "not_executed" });
    case "unknown":
      throw new Problem("PROVIDER_ERROR", "The bank did not answer. Send the same request again with the same Idempotency-Key.", {
        outcome: "unknown",
      });
  }
}

/**
 * Returns the stored link. Reads it again where another request stored it first, or where a replay stored it after its time was over. Throws
 * VALIDATION_ERROR where nothing is stored, because the link to replace was paid or replaced during the call to the bank.
 */
async function finish(
  ctx: MerchantContext,
  stored: PaymentLink | undefined,
  { reference, replaced }: Pick<Opened, "reference" | "replaced">,
): Promise<PaymentLink> {
  if (stored && !stored.isDue) return stored;
  const made = await findLinkByReference(ctx.merchant.id, reference);
  if (made) return made;
  if (replaced) await getReplaceableLink(ctx, replaced.reference, reference);
  throw new Error(`link ${reference} was not stored`);
}

function refuseUnsafeCallback({ merchant }: MerchantContext, callbackUrl: string | undefined): void {
  if (merchant.mode === "live" && callbackUrl && !callbackUrl.toLowerCase().startsWith("https:")) {
    throw invalid("callback_url", "Send an https address: live mode takes no other.");
  }
}

interface Opened {
  reference: string;
  provider: string;
  account: OneTimeAccount;
  replaced: PaymentLink | undefined;
}

/**
 * Resolves to no row where another try has stored the reference, which the unique constraint refuses. (A conflict that PostgreSQL looks for first
 * would cost every link a look; a partition has another name for the constraint.)
 */
async function unlessStored(error: unknown, merchantId: string, reference: string): Promise<[]> {
  const isConflict = error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
  if (isConflict && (await findStoredLink(merchantId, reference))) return [];
  throw error;
}

/**
 * Stores the link and the directory row of its account in one statement, which is one commit. Where an earlier attempt began the link, its time counts
 * from the opening of the account. With `replaced`, the statement first locks that link and marks it as replaced. A payment of that link
 * takes the same lock: the later of the two sees the earlier. Returns undefined where the reference is stored already, and where the link is
 * paid or replaced by another.
 */
async function storeLink(
  ctx: MerchantContext,
  request: CreatePaymentLink,
  { reference, provider, account, replaced }: Opened,
): Promise<PaymentLink | undefined> {
  const { merchant, resumed = false } = ctx;
  // Lists find links of a time by their ids, so the id of a link that an earlier attempt began has that time too.
  const linkId = newId("paymentLink", resumed ? Math.min(account.openedAt.getTime(), Date.now()) : Date.now());
  const query = sql();
  const marked = replaced
    ? query`
      update payment_links set replaced_by = ${reference}
      where merchant_id = ${merchant.id} and id = ${replaced.id} and status = 'expired' and replaced_by is null returning reference as replaces`
    : query`select null::text as replaces`;
  const [row] = await query<RawLink[]>`
    with opening as (
      select case when ${resumed} then least(${account.openedAt.toISOString()}::text::timestamptz, now()) else now() end as opened_at
    ), marked as (${marked}
    ), link as (
      insert into payment_links (merchant_id, id, reference, amount, description, customer_name, customer_email, callback_url, metadata,
        provider, provider_reference, account_number, account_name, bank_name, checkout_url, replaces, made_by, created_at, expires_at)
      select ${merchant.id}, ${linkId}, ${reference}, ${String(request.amount.minor)}::bigint, ${request.description ?? null}, ${request.customer_name ?? null},
        ${request.customer_email ?? null}, ${request.callback_url ?? null}, ${JSON.stringify(request.metadata ?? {})}::text::jsonb, ${provider}, ${account.providerReference},
        ${account.accountNumber}, ${account.accountName}, ${account.bankName}, ${account.checkoutUrl}, replaces, ${madeBy(ctx)},
        opened_at, opened_at + ${LINK_VALID_FOR_MS} * interval '1 ms'
      from opening, marked returning *
    ), account as (
      insert into one_time_accounts (provider, account_number, merchant_id, link_id)
      select ${provider}, ${account.accountNumber}, ${merchant.id}, ${linkId} from link
    )
    select *, expires_at <= now() as is_due, '[]'::json as transfers from link`.catch((error) =>
    unlessStored(error, merchant.id, reference),
  );
  return row && linkFromRaw(row);
}
