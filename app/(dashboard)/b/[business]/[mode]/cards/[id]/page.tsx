import type { Metadata } from "next";
import { LiveRefresh } from "#app/_client/live-refresh.tsx";
import type { Page } from "#app/_people/find-member.ts";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf } from "#app/(dashboard)/_page/asked.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { found } from "#app/(dashboard)/_page/found.ts";
import { may, mayChange, whoMay } from "#app/(dashboard)/_page/may.ts";
import { CardView } from "#components/cards/card-view.tsx";
import { BRANDS } from "#components/cards/words.ts";
import { formatMoney } from "#lib/money.ts";
import { type CardWithHolder, getCardWithHolder } from "#services/cards/index.ts";
import { getWallet } from "#services/ledger/index.ts";
import { getOwnUser, getTwoFactor } from "#services/users/index.ts";
import { fullName } from "../to-view.ts";
import { CardActions, type CardMay } from "./card-actions.tsx";
import { CardDesk, FundMore } from "./desk.tsx";
import { HISTORY_FILTERS, readHistory } from "./history.ts";
import { RevealCard } from "./reveal-card.tsx";
import { endingOf, toFollow } from "./to-view.ts";
import { worthOfEnd } from "./worth-of-end.ts";

export const metadata: Metadata = { title: "Card" };

export default async function CardPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/cards/[id]">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "cards");
  if (closed) return closed;
  const { ctx, base } = page;
  const { id } = await params;
  const path = `${base}/cards`;
  const asked = askedOf(await searchParams, HISTORY_FILTERS);
  const card = await found(getCardWithHolder(ctx, id));
  const allowed = mayOf(page, card);
  const [wallet, returns, history] = await Promise.all([
    getWallet(ctx),
    allowed.terminate ? worthOfEnd(ctx, card) : "",
    readHistory(ctx, { cardId: id, path: `${path}/${id}`, asked, balance: allowed.fund ? card.balance : undefined }),
  ]);
  const name = `${card.nickname ?? BRANDS[card.brand]}${card.last4 ? ` ••${card.last4}` : ""}`;
  const outcomes = Object.fromEntries(history.operations.map((operation) => [operation.id, operation.status]));
  const { nickname, last4 } = card;
  return (
    <CardDesk card={{ id, name, balance: card.balance, available: wallet.available, walletHref: `${base}/wallet`, outcomes }}>
      <CardView
        card={card}
        holder={fullName(card.cardholder)}
        ending={endingOf(card, history.operations)}
        path={path}
        actions={<CardActions card={{ id, name, nickname, last4, returns, toFollow: toFollow(history.spend) }} may={allowed} />}
        reveal={await revealing(page, card, name)}
        history={{ ...history, show: showOf(asked.values.show) }}
        fundMore={(lack) => <FundMore amount={lack} text={formatMoney(lack)} />}
        now={new Date()}
      />
      <LiveRefresh isWaiting={card.status === "PENDING" || history.operations.some(({ status }) => status === "processing")} />
    </CardDesk>
  );
}

const showOf = (show: string | undefined) => (show === "spend" || show === "money" ? show : "all");

/** Returns what the reader may do with the card as it is. A suspended business may still freeze. */
function mayOf({ ctx }: Page, { status, isEnding, isBlocked, balance }: CardWithHolder): CardMay {
  const changes = mayChange(ctx, "cards:write");
  const isOpen = (status === "ACTIVE" || status === "FROZEN") && !isEnding;
  const isActive = status === "ACTIVE" && isOpen;
  return {
    fund: changes && isActive && !isBlocked,
    unload: changes && isActive && !isBlocked && balance.minor > 0n,
    freeze: may(ctx, "cards:write") && isActive,
    unfreeze: changes && isOpen && status === "FROZEN",
    rename: changes && status !== "TERMINATED",
    terminate: changes && isOpen && !isBlocked,
    simulate: ctx.merchant.mode === "test" && mayChange(ctx, "test:write") && status !== "PENDING" && status !== "FAILED",
  };
}

async function revealing({ ctx }: Page, { id, status }: CardWithHolder, name: string) {
  if (status !== "ACTIVE" && status !== "FROZEN") return null;
  if (!may(ctx, "cards:reveal"))
    return <p className="max-w-[40ch] text-fact text-muted">The number is hidden. {whoMay(ctx, "cards:reveal")}</p>;
  const [{ email }, { passkeys }] = await Promise.all([getOwnUser(ctx), getTwoFactor(ctx)]);
  return <RevealCard cardId={id} name={name} email={email} hasPasskey={passkeys.length > 0} />;
}
