import type { Tx } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import type { NewsWords, SummaryWords } from "../mails/index.ts";
import type { Item } from "./items.ts";
import { alertNews, type News, paymentNews, sumPayments, titleOfPayments } from "./news.ts";
import { dayOf } from "./note-payments.ts";

/** The most items that a summary names, in all and of one kind, so that many items of one kind do not hide the others. */
const MAX_NAMED = 20;
const MAX_OF_A_KIND = 5;

interface Reader {
  merchantId: string;
  name: string;
  businessId: string;
  businessName: string;
}

const linkTo = ({ businessId }: Reader, path: string) => new URL(`/b/${businessId}/live${path}`, settings().DASHBOARD_URL).href;

const common = (reader: Reader) => ({
  ...{ name: reader.name, business: reader.businessName },
  choicesLink: linkTo(reader, "/settings/alerts"),
});

const isPayment = ({ topic }: Item) => topic === "payments";
const causesOf = (items: readonly Item[]) => items.map(({ cause }) => cause);

/** Returns the content of mails about a few items, one for each, oldest first. Skips an item that cannot be read. */
export async function toNewsMails(tx: Tx, reader: Reader, items: readonly Item[]): Promise<NewsWords[]> {
  const payments = await paymentNews(tx, reader.merchantId, causesOf(items.filter(isPayment)));
  const others = await alertNews(tx, reader.merchantId, causesOf(items.filter((item) => !isPayment(item))));
  return items.flatMap(({ cause }) => {
    const paid = payments.get(cause);
    const news: News | undefined = paid ?? others.get(cause);
    if (!news) return [];
    const { title, detail, at, path } = news;
    return [{ ...common(reader), ...{ title, detail, at, link: linkTo(reader, path) }, quote: paid?.description ?? null }];
  });
}

/** Returns the content of a summary: payments as one sum, other items by name, newest first. Undefined if no item can be read. */
export async function toSummaryMail(tx: Tx, reader: Reader, items: readonly Item[]): Promise<SummaryWords | undefined> {
  const { merchantId } = reader;
  const paid = items.filter(isPayment);
  const days = paid.flatMap(({ cause }) => dayOf(cause) ?? []);
  const events = causesOf(paid.filter(({ cause }) => dayOf(cause) === undefined));
  const payments = await sumPayments(tx, merchantId, { events, days });
  const others = [...(await alertNews(tx, merchantId, causesOf(items.filter((item) => !isPayment(item))))).values()];
  if (payments.count === 0 && others.length === 0) return undefined;
  const named = [...Map.groupBy(others, ({ title }) => title).values()].flatMap((ofKind) => ofKind.slice(0, MAX_OF_A_KIND));
  const lines = named.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, MAX_NAMED);
  return {
    ...common(reader),
    payments: payments.count === 0 ? null : titleOfPayments(payments),
    lines: lines.map(({ title, detail, at }) => ({ title, detail, at })),
    more: others.length - lines.length,
    link: linkTo(reader, ""),
  };
}
