import type { Asked } from "#app/(dashboard)/_page/asked.ts";
import { readList } from "#app/(dashboard)/_page/read-list.ts";
import type { CardEvent } from "#components/cards/card-timeline.tsx";
import type { Filter } from "#components/page/filters.tsx";
import type { Money } from "#lib/money.ts";
import { type CardOperation, type CardTransaction, listCardTransactions, listOperations } from "#services/cards/index.ts";
import type { MemberContext } from "#services/context.ts";
import { mergeNewest, toOperationEvent, toSpendEvent } from "./to-view.ts";

const CHOICES = [
  { value: "spend", label: "Spend" },
  { value: "money", label: "Money" },
];

export const HISTORY_FILTERS: readonly Filter[] = [{ kind: "choice", name: "show", label: "All", choices: CHOICES }];

/** Entries of each kind that the page begins with. */
const NEWEST = 30;

interface History {
  events: CardEvent[];
  operations: readonly CardOperation[];
  spend: readonly CardTransaction[];
  newerHref: string | undefined;
  olderHref: string | undefined;
  problem: string | undefined;
  /** The page begins with the newest of both kinds, and there are older ones. */
  hasOlder: boolean;
}

interface Where {
  cardId: string;
  /** The page of the card. */
  path: string;
  asked: Asked;
  /** What the card holds, if it can be funded. */
  balance: Money | undefined;
}

/** Reads the part of a card's history that an address asks for, and always the newest operations, which say what is under way. */
export async function readHistory(ctx: MemberContext, { cardId, path, asked, balance }: Where): Promise<History> {
  const { show } = asked.values;
  const [newest, spent] = await Promise.all([
    listOperations(ctx, cardId, { limit: NEWEST }),
    listCardTransactions(ctx, cardId, { limit: NEWEST }),
  ]);
  const rest = { operations: newest.items, spend: spent.items, hasOlder: false };
  const toSpendEvents = (items: readonly CardTransaction[]) => items.map((spend) => toSpendEvent(spend, items, balance));
  if (show === "spend") {
    const { items, place } = await readList(path, asked, (request) => listCardTransactions(ctx, cardId, request));
    return { ...rest, ...place, events: toSpendEvents(items) };
  }
  if (show === "money") {
    const { items, place } = await readList(path, asked, (request) => listOperations(ctx, cardId, request));
    return { ...rest, ...place, events: items.map(toOperationEvent) };
  }
  const { events, hasOlder } = mergeNewest(
    { items: toSpendEvents(spent.items), nextCursor: spent.nextCursor },
    { items: newest.items.map(toOperationEvent), nextCursor: newest.nextCursor },
  );
  return { ...rest, events, hasOlder, newerHref: undefined, olderHref: undefined, problem: asked.problem };
}
