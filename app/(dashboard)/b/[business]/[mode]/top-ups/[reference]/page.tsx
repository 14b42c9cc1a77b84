import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { LiveRefresh } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { Receipt } from "#components/top-ups/receipt.tsx";
import { ReceiptActions } from "#components/top-ups/receipt-actions.tsx";
import { Problem } from "#lib/problem.ts";
import { getPurchase } from "#services/vtu/index.ts";
import { againHref } from "../to-view.ts";
import { sendHrefsOf, toReceipt } from "./to-view.tsx";

export const metadata: Metadata = { title: "Top-up" };

export default async function TopUpPage({ params }: PageProps<"/b/[business]/[mode]/top-ups/[reference]">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "vtu");
  if (closed) return closed;
  const { ctx, base } = page;
  const { reference } = await params;
  const purchase = await getPurchase(ctx, reference).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "RESOURCE_NOT_FOUND") notFound();
    throw error;
  });
  const now = new Date();
  const path = `${base}/top-ups`;
  const isProcessing = purchase.status === "processing";
  const mayBuy = mayChange(ctx, "vtu:write") && ctx.merchant.aggregator !== null && !isProcessing;
  return (
    <>
      <Receipt
        view={toReceipt(ctx, purchase, path, now)}
        now={now}
        actions={<ReceiptActions againHref={mayBuy ? againHref(purchase, path) : undefined} {...sendHrefsOf(purchase)} />}
      />
      <LiveRefresh isWaiting={isProcessing} />
    </>
  );
}
