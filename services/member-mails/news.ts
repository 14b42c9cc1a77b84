import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "#db/client.ts";
import { alerts } from "#db/schema/alerts.ts";
import { events } from "#db/schema/events.ts";
import { formatMoney, type Money, money, toMinorUnits } from "#lib/money.ts";
import { ALERT_WORDS, type AlertType } from "../alerts/index.ts";

/** Passes many texts as one parameter, because a statement has at most 65,535 parameters. */
const listed = (texts: string[]) => sql`(select jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb))`;

/** An item with its words for a mail. */
export interface News {
  title: string;
  detail: string;
  at: Date;
  /** The page that it leads to, below the path of the mode. */
  path: string;
}

/** A payment with the link's description, which may be a customer's text. */
export interface PaymentNews extends News {
  description: string | null;
}

/** The parts of a paid link's event that a mail tells. */
const PaidLink = z.object({ reference: z.string(), amount: z.number(), description: z.string().nullish() });

/** Returns the payments of some events by cause. An event that cannot be read is left out. */
export async function paymentNews(tx: Tx, merchantId: string, causes: string[]): Promise<Map<string, PaymentNews>> {
  const rows = await tx
    .select({ id: events.id, data: events.data, createdAt: events.createdAt })
    .from(events)
    .where(and(eq(events.merchantId, merchantId), inArray(events.id, causes)));
  return new Map(
    rows.flatMap(({ id, data, createdAt }) => {
      const { data: link } = PaidLink.safeParse(data);
      const minor = link && toMinorUnits(link.amount);
      if (!link || minor === undefined) return [];
      const title = `${formatMoney(money(minor, "NGN"))} was paid`;
      return [[id, { title, detail: "", at: createdAt, path: `/links/${link.reference}`, description: link.description ?? null }]];
    }),
  );
}

/** Returns the alerts of some causes by cause, the newest first. An alert of a type that is not known here is left out. */
export async function alertNews(tx: Tx, merchantId: string, causes: string[]): Promise<Map<string, News>> {
  const rows = await tx
    .select()
    .from(alerts)
    .where(and(eq(alerts.merchantId, merchantId), sql`${alerts.id} in ${listed(causes)}`))
    .orderBy(desc(alerts.id));
  return new Map(
    rows.flatMap(({ id, type, message, resourceId, createdAt }) => {
      const words: (typeof ALERT_WORDS)[AlertType] | undefined = ALERT_WORDS[type as AlertType];
      return words ? [[id, { title: words.title, detail: message, at: createdAt, path: words.pathOf(resourceId) }]] : [];
    }),
  );
}

/** Payments together. */
export interface Payments {
  count: number;
  total: Money;
}

/** Returns count and sum of the payments of some events and of whole days, exact to the kobo. */
export async function sumPayments(
  tx: Tx,
  merchantId: string,
  { events: ids, days }: { events: string[]; days: string[] },
): Promise<Payments> {
  const [row] = await tx.execute<{ count: number; kobo: string }>(sql`
    select sum(count)::int as count, sum(kobo)::text as kobo from (
      select count(*) as count, coalesce(sum((data ->> 'amount')::numeric * 100), 0) as kobo from events
      where merchant_id = ${merchantId} and id in ${listed(ids)}
      union all
      select coalesce(sum(count), 0), coalesce(sum(kobo), 0) from daily_figures
      where merchant_id = ${merchantId} and source = 'event' and type = 'checkout.success' and day in (select d::date from ${listed(days)} t(d))
    ) parts`);
  return { count: row?.count ?? 0, total: money(BigInt((row?.kobo ?? "0").split(".")[0] ?? "0"), "NGN") };
}

/** Returns the words of a number of payments: `31 payments, ₦186,400.00 together`. */
export const titleOfPayments = ({ count, total }: Payments): string =>
  count === 1 ? `1 payment of ${formatMoney(total)}` : `${count} payments, ${formatMoney(total)} together`;
