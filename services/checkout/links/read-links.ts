import { linkOfReference } from "#db/schema/checkout.ts";
import { notFound } from "#lib/problem.ts";
import { isLinkReference } from "#lib/references.ts";
import type { Context, MerchantContext } from "../../context.ts";
import { findMerchantOf } from "../../find-merchant-of.ts";
import { isOffered } from "../../providers/index.ts";
import { isBankDown } from "../bank-health.ts";
import type { PaymentLink } from "../payment-link.ts";
import { findStoredLink, LINK_COLUMNS, linkFromRaw, type RawLink, run } from "../rows.ts";
import { expireLink } from "./expire-links.ts";
import { findReplacement } from "./find-replacement.ts";

const BY_ID = `select ${LINK_COLUMNS} from payment_links l where l.merchant_id = $1 and l.id = $2`;
const FOR_PAYER = `
  select ${LINK_COLUMNS}, b.name as business_name, b.brand_colour, b.logo, b.support_email, b.support_phone,
    m.mode, m.status as merchant_status, m.embed_origins, (
      select a.last_at from payment_link_activity a where a.merchant_id = $1 and a.link_id = l.id and a.kind = 'sent'
        and not exists (select from payment_link_activity u
          where u.merchant_id = $1 and u.link_id = a.link_id and u.kind = 'unsent' and u.message_number > a.message_number)
        and a.transfers_seen >= (select count(*) from bank_transfers s where s.merchant_id = $1 and s.link_id = l.id)
    ) as sent_at, (
      select coalesce(max(n.message_number), 0) from payment_link_activity n where n.merchant_id = $1 and n.link_id = l.id
    ) as message_number
  from ${linkOfReference("$1", "$2")} l
  join merchants m on m.id = $1
  join businesses b on b.id = m.business_id`;

/** Returns the link of a reference, expired if its time is over. */
export async function findLinkByReference(merchantId: string, reference: string): Promise<PaymentLink | undefined> {
  const link = await findStoredLink(merchantId, reference);
  return link && expireIfDue(link);
}

/** Returns the link of a reference, expired if its time is over. Throws RESOURCE_NOT_FOUND. */
export async function getLinkByReference({ merchant }: MerchantContext, reference: string): Promise<PaymentLink> {
  const link = await findLinkByReference(merchant.id, reference);
  if (!link) throw notFound("payment link");
  return link;
}

/**
 * Expires a link whose time is over, and returns it as it is now. The first reader does this; the sweep expires the links without a reader.
 */
async function expireIfDue(link: PaymentLink): Promise<PaymentLink> {
  if (!link.isDue) return link;
  await expireLink(link.merchantId, link.id);
  const [row] = await run<RawLink>(BY_ID, [link.merchantId, link.id]);
  return row ? linkFromRaw(row) : link;
}

/** The data of a payer's page: the link, and the business that gets the money. */
export interface PayerView {
  link: PaymentLink;
  business: { name: string; brandColour: string; logo: string | null; supportEmail: string | null; supportPhone: string | null };
  /** The bank provider's name. */
  provider: string;
  mode: "test" | "live";
  suspended: boolean;
  /** The reference of the link to open instead of this expired one, or null. */
  replacement: string | null;
  /** When the payer last reported the money as sent; null if the payer undid it, or a transfer has arrived since. */
  sentAt: Date | null;
  /** The highest number of the payer's messages. */
  messageNumber: number;
  bankIsDown: boolean;
  /** Origins whose pages may frame this one. */
  embedOrigins: string[];
}

/** Returns the view of a reference, or undefined for an unknown one. The payer's URL names no merchant other than by the reference. */
export async function findPayerView(_ctx: Context, reference: string): Promise<PayerView | undefined> {
  const merchantId = await findMerchantOf(reference);
  if (merchantId === undefined || !isLinkReference(reference)) return undefined;
  const [row] = await run<RawLink & PayerColumns>(FOR_PAYER, [merchantId, reference]);
  if (!row || !isOffered(row.provider)) return undefined;
  const link = await expireIfDue(linkFromRaw(row));
  return {
    link,
    replacement: await findReplacement(link),
    business: {
      name: row.business_name,
      brandColour: row.brand_colour,
      logo: row.logo,
      supportEmail: row.support_email,
      supportPhone: row.support_phone,
    },
    provider: row.provider,
    mode: row.mode,
    suspended: row.merchant_status === "suspended",
    sentAt: row.sent_at === null ? null : new Date(row.sent_at),
    messageNumber: Number(row.message_number),
    bankIsDown: await isBankDown(row.provider),
    embedOrigins: row.embed_origins,
  };
}

interface PayerColumns {
  business_name: string;
  brand_colour: string;
  logo: string | null;
  support_email: string | null;
  support_phone: string | null;
  mode: "test" | "live";
  merchant_status: "active" | "suspended";
  embed_origins: string[];
  sent_at: string | null;
  message_number: bigint;
  provider: string;
}
