import type { Metadata } from "next";
import { LiveRefresh } from "#app/_client/live-refresh.tsx";
import type { Page } from "#app/_people/find-member.ts";
import { requireMember } from "#app/_people/require-member.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { type InsteadLink, LinkActions } from "#components/links/link-actions.tsx";
import { LinkDetail } from "#components/links/link-detail.tsx";
import { settings } from "#lib/env.ts";
import { type PaymentLink, presentPaymentLink, readTimelineForMember } from "#services/checkout/index.ts";
import { linkOrNotFound } from "../link-or-not-found.ts";
import { readRefunds } from "./read-refunds.tsx";
import { Simulate } from "./simulate.tsx";
import { simulationsOf } from "./simulations-of.ts";
import { timelineOf } from "./timeline-of.tsx";
import { factsOf, figureOf, messageOf, stateOf, titleOf } from "./to-view.tsx";

export const metadata: Metadata = { title: "Payment link" };

export default async function LinkPage({ params }: PageProps<"/b/[business]/[mode]/links/[reference]">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "checkout");
  if (closed) return closed;
  const { ctx, base } = page;
  const link = await linkOrNotFound(ctx, (await params).reference);
  const entries = await readTimelineForMember(ctx, link.reference);
  const refunds = await readRefunds(ctx, base, link);
  const now = new Date();
  const linksHref = `${base}/links`;
  const { BASE_URL } = settings();
  const url = `${BASE_URL}/pay/${link.reference}`;
  return (
    <>
      <LinkDetail
        backHref={linksHref}
        title={titleOf(link)}
        state={stateOf(link)}
        amount={link.amount}
        figure={figureOf(link)}
        actions={
          <>
            {refunds.button}
            <Actions page={page} link={link} url={url} linksHref={linksHref} />
          </>
        }
        refunds={refunds.rows}
        recalledAt={link.recalledAt}
        instead={insteadOf(link, linksHref)}
        simulate={mayChange(ctx, "test:write") && <Simulate reference={link.reference} simulations={simulationsOf(link)} />}
        timeline={timelineOf(link, entries, now)}
        facts={factsOf(link, ctx, { linksHref, url })}
        json={JSON.stringify(presentPaymentLink(link, BASE_URL), null, 2)}
        now={now}
      />
      <LiveRefresh isWaiting={link.status === "pending" || refunds.isWaiting} />
    </>
  );
}

function Actions({ page: { ctx }, link, url, linksHref }: { page: Page; link: PaymentLink; url: string; linksHref: string }) {
  const { reference, status } = link;
  const instead = insteadOf(link, linksHref);
  const mayCreate = mayChange(ctx, "checkout:write") && ctx.merchant.bank !== null;
  return (
    <LinkActions
      status={status}
      url={url}
      message={messageOf(link, ctx.merchant.businessName, url)}
      qrHref={`${linksHref}/${reference}/qr`}
      againHref={mayCreate && !instead ? `${linksHref}/new?again=${reference}` : undefined}
      instead={instead}
    />
  );
}

/** Returns the link to show instead of an expired one: the link that was paid for the same order, or the link that replaces this one. */
function insteadOf({ status, replacedBy, paidInstead }: PaymentLink, linksHref: string): InsteadLink | undefined {
  if (status !== "expired") return undefined;
  if (paidInstead) return { href: `${linksHref}/${paidInstead}`, isPaid: true };
  return replacedBy ? { href: `${linksHref}/${replacedBy}`, isPaid: false } : undefined;
}
