import { documentResponse } from "#app/pay/document.tsx";
import { toPayView } from "#app/pay/to-view.ts";
import { PayPage } from "#components/pay/page.tsx";
import { type Money, money } from "#lib/money.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { PayerView } from "#services/checkout/index.ts";
import type { MemberContext } from "#services/context.ts";
import { findLogo, type getBrand } from "#services/merchants/index.ts";

interface Shown {
  amount: Money | undefined;
  description: string;
  brand: Awaited<ReturnType<typeof getBrand>>;
  /** A logo that is not saved yet, as WebP. Undefined: the brand's saved logo is shown. */
  unsavedLogo?: Uint8Array | undefined;
}

/** Returns the payer's page of a link that does not exist, with a made-up account. It has no script. Only pages of this host may frame it. */
export async function drawPreview(ctx: MemberContext, { brand, unsavedLogo, ...shown }: Shown): Promise<Response> {
  const view = toPayView(madeUp(ctx, { ...shown, brand }), {
    language: "en",
    chosen: false,
    now: new Date(),
    stays: true,
    isPanelOpen: false,
  });
  const logo = unsavedLogo ?? (brand.logo && (await findLogo(ctx, brand.logo)));
  // The logo is inlined, because the dashboard may have a host of its own, which does not serve the files of payers' pages.
  const inline = logo ? `data:image/webp;base64,${Buffer.from(logo).toString("base64")}` : null;
  return documentResponse({
    status: 200,
    language: "en",
    title: "Preview",
    brandColour: brand.brandColour,
    body: <PayPage view={{ ...view, business: { ...view.business, logo: inline } }} />,
    framers: ["'self'"],
    isPreview: true,
  });
}

const MAX_CHARACTERS = 200;

function madeUp({ merchant, actor }: MemberContext, { amount, description: typed, brand: business }: Shown): PayerView {
  const now = new Date();
  const description = [...typed].slice(0, MAX_CHARACTERS).join("");
  const link: PayerView["link"] = {
    ...{ merchantId: merchant.id, id: "", reference: "PREVIEW", orderNo: "" },
    ...{ amount: amount ?? money(0n, "NGN"), refunded: money(0n, "NGN"), refunding: money(0n, "NGN"), description: description || null },
    ...{ customerName: null, customerEmail: null, callbackUrl: null, metadata: {}, status: "pending" },
    ...{ accountNumber: "0123456789", accountName: business.name, bankName: "Example Bank", checkoutUrl: "about:blank" },
    ...{
      paidAt: null,
      recalledAt: null,
      replaces: null,
      replacedBy: null,
      firstLinkId: null,
      paidInstead: null,
      transfers: [],
      isDue: false,
      madeBy: actor,
    },
    ...{ createdAt: now, expiresAt: new Date(now.getTime() + VALID_FOR_MS) },
  };
  return {
    ...{ link, business, provider: "", mode: merchant.mode, suspended: false, replacement: null, sentAt: null, messageNumber: 0 },
    ...{ bankIsDown: false, embedOrigins: [] },
  };
}

const VALID_FOR_MS = 30 * MINUTE_MS;
