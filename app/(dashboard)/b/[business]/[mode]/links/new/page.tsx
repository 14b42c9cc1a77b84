import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import type { Page } from "#app/_people/find-member.ts";
import { requireMember } from "#app/_people/require-member.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { may, whoMay } from "#app/(dashboard)/_page/may.ts";
import { Closed } from "#components/page/closed.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { formatMoney } from "#lib/money.ts";
import { readableAddress } from "#lib/readable-host.ts";
import type { PaymentLink } from "#services/checkout/index.ts";
import { linkOrNotFound } from "../link-or-not-found.ts";
import { NO_BANK } from "../words.ts";
import { NewLink } from "./new-link.tsx";

export const metadata: Metadata = { title: "New payment link" };

export default async function NewLinkPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/links/new">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "checkout");
  if (closed) return closed;
  const { again } = await searchParams;
  if (Array.isArray(again)) notFound();
  const link = again === undefined ? undefined : await linkOrNotFound(page.ctx, again);
  const linksHref = `${page.base}/links`;
  return (
    <>
      <PageHead
        title={link ? "The same link again" : "New payment link"}
        back={link ? { href: `${linksHref}/${link.reference}`, label: "The earlier link" } : { href: linksHref, label: "Payment links" }}
      />
      {refusal(page, link) ?? (
        <NewLink linksHref={linksHref} mode={page.ctx.merchant.mode} draft={link ? draftOf(link) : {}} again={link && againOf(link)} />
      )}
    </>
  );
}

/** Returns the notice that replaces the form for a reader who cannot create this link. */
function refusal({ ctx, base }: Page, link: PaymentLink | undefined): ReactNode {
  const { merchant } = ctx;
  if (!may(ctx, "checkout:write")) return <Closed title="Your role cannot create payment links.">{whoMay(ctx, "checkout:write")}</Closed>;
  if (merchant.status === "suspended")
    return <Closed title="Your business is suspended.">No links can be created. Write to support.</Closed>;
  if (merchant.bank === null) return <Closed title={NO_BANK.title}>{NO_BANK.text}</Closed>;
  if (!link || link.status === "success") return undefined;
  if (link.paidInstead !== null) {
    const open = (
      <ButtonLink variant="primary" href={`${base}/links/${link.paidInstead}`}>
        Open the paid link
      </ButtonLink>
    );
    return (
      <Closed title="This order is paid already." action={open}>
        Another link of the same order is paid. For another order, create a new link.
      </Closed>
    );
  }
  if (!link.replacedBy) return undefined;
  const action = (
    <ButtonLink variant="primary" href={`${base}/links/${link.replacedBy}`}>
      Open the new link
    </ButtonLink>
  );
  return (
    <Closed title="A new link has replaced this one already." action={action}>
      The expired page leads your customer to it.
    </Closed>
  );
}

const draftOf = ({ amount, description, customerName, customerEmail, callbackUrl }: PaymentLink) => ({
  amount: formatMoney(amount).replace(/^₦/, "").replace(/\.00$/, ""),
  ...{ description: description ?? undefined, customer_name: customerName ?? undefined },
  ...{ customer_email: customerEmail ?? undefined, callback_url: callbackUrl === null ? undefined : readableAddress(callbackUrl) },
});

const againOf = ({ reference, metadata: own, status }: PaymentLink) => ({ reference, metadata: own, isReplaced: status === "expired" });
