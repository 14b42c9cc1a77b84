import { sql } from "#db/client.ts";
import { notFound } from "#lib/problem.ts";
import type { Context, MerchantContext } from "../context.ts";
import { isOffered } from "../providers/index.ts";
import { isBankDown } from "./bank-health.ts";
import { expireLink } from "./expire-links.ts";
import { findReplacement } from "./find-replacement.ts";
import type { PaymentLink } from "./payment-link.ts";
import { isReference } from "./reference.ts";
import { LINK_COLUMNS, linkFromRaw, type RawLink } from "./rows.ts";

// Constant texts with parameters. `unsafe` only spares the driver from composing them at every call.
const BY_REFERENCE = `
  select ${LINK_COLUMNS} from payment_references r join payment_links l on l.merchant_id = r.merchant_id and l.id = r.link_id
  where r.merchant_id = $1 and r.reference = $2`;
const BY_ID = `select ${LINK_COLUMNS} from payment_links l where l.merchant_id = $1 and l.id = $2`;
const FOR_PAYER = `
  select ${LINK_COLUMNS}, b.name as business_name, b.brand_colour, b.logo, b.support_email, b.support_phone,
    m.mode, m.status as merchant_status, m.embed_origins, (
      select a.last_at from payment_link_activity a where a.merchant_id = l.merchant_id and a.link_id = l.id and a.kind = 'sent'
        and not exists (select from payment_link_activity u
          where u.merchant_id = a.merchant_id and u.link_id = a.link_id and u.kind = 'unsent' and u.message_number > a.message_number)
        and a.transfers_seen >= (select count(*) from bank_transfers s where s.merchant_id = l.merchant_id and s.link_id = l.id)
    ) as sent_at, (
      select coalesce(max(n.message_number), 0) from payment_link_activity n where n.merchant_id = l.merchant_id and n.link_id = l.id
    ) as message_number
  from payment_references r
  join payment_links l on l.merchant_id = r.merchant_id and l.id = r.link_id
  join merchants m on m.id = l.merchant_id
  join businesses b on b.id = m.business_id
  where r.reference = $1`;

const select = <Row extends object>(text: string, parameters: string[]) => sql().unsafe<Row[]>(text, parameters, { prepare: true });

/** Returns the link of a reference, expired if its time is over. */
export async function findLinkByReference(merchantId: string, reference: string): Promise<PaymentLink | undefined> {
  if (!isReference(reference)) return undefined;
  const [row] = await select<RawLink>(BY_REFERENCE, [merchantId, reference]);
  return row && expireIfDue(linkFromRaw(row));
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
  const [row] = await select<RawLink>(BY_ID, [link.merchantId, link.id]);
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
  /** When the payer last said that the money is sent; null if the payer took it back, or a transfer has arrived since. */
  sentAt: Date | null;
  /** The highest number of what the payer said. */
  messageNumber: number;
  bankIsDown: boolean;
  /** Origins whose pages may frame this one. */
  embedOrigins: string[];
}

/** Returns the view of a reference, or undefined for an unknown one. Takes no merchant, because the payer's URL names none. */
export async function findPayerView(_ctx: Context, reference: string): Promise<PayerView | undefined> {
  if (!isReference(reference)) return undefined;
  const [row] = await select<RawLink & PayerColumns>(FOR_PAYER, [reference]);
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
