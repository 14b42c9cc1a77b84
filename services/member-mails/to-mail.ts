import type { Tx } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import type { NewsWords, SummaryWords } from "../mails/index.ts";
import type { Item } from "./items.ts";
import { alertNews, type News, paymentNews, sumPayments, titleOfPayments } from "./news.ts";
import { dayOf } from "./note-payments.ts";

/** So many things a summary names, and of one kind: a flood of one kind hides no other. */
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

/** Returns the words of mails about a few things, one for each, the oldest first. A thing that cannot be read has none. */
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

/** Returns the words of a mail about several things: payments as one sum, the rest by name, newest first. Undefined where nothing can be read. */
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
