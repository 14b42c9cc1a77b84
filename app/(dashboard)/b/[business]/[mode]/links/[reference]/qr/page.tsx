import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { PrintButton } from "#components/links/print-button.tsx";
import { QrSheet } from "#components/links/qr-sheet.tsx";
import { settings } from "#lib/env.ts";
import { formatMoney } from "#lib/money.ts";
import { plainText } from "#lib/plain-text.ts";
import { qrPath } from "#lib/qr-path.ts";
import { lagosDateTime } from "#lib/time.ts";
import type { PaymentLink } from "#services/checkout/index.ts";
import { linkOrNotFound } from "../../link-or-not-found.ts";
import { svgOf } from "./svg-of.ts";

export const metadata: Metadata = { title: "QR code" };

export default async function QrPage({ params }: PageProps<"/b/[business]/[mode]/links/[reference]/qr">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "checkout");
  if (closed) return closed;
  const { ctx, base } = page;
  const link = await linkOrNotFound(ctx, (await params).reference);
  const url = `${settings().BASE_URL}/pay/${link.reference}`;
  const qr = qrPath(url);
  return (
    <QrSheet
      back={{ href: `${base}/links/${link.reference}`, label: "Payment link" }}
      business={plainText(ctx.merchant.businessName)}
      amount={formatMoney(link.amount)}
      description={link.description && plainText(link.description)}
      until={untilOf(link)}
      isOpen={link.status === "pending"}
      url={url}
      qr={qr}
      svgHref={`data:image/svg+xml,${encodeURIComponent(svgOf(qr))}`}
      print={<PrintButton />}
    />
  );
}

function untilOf({ status, expiresAt }: PaymentLink): string {
  if (status === "success") return "This link is paid. Its code leads to the receipt.";
  if (status === "expired") return "This link expired. Its code leads to a page that takes no money.";
  return `Pay before ${lagosDateTime(expiresAt)} (Lagos).`;
}
