import { requireMember } from "#app/_people/require-member.ts";
import { documentResponse } from "#app/pay/document.tsx";
import { toPayView } from "#app/pay/to-view.ts";
import { publicRoute } from "#app/public-route.ts";
import { PayPage } from "#components/pay/page.tsx";
import { money } from "#lib/money.ts";
import { nairaTyped } from "#lib/naira-typed.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { PayerView } from "#services/checkout/index.ts";
import type { MemberContext } from "#services/context.ts";
import { findLogo, getBrand } from "#services/merchants/index.ts";

type Next = { params: Promise<{ business: string; mode: string }> };

/** The payer's page of a link that is not made yet, with a made-up account, for the form beside it. Only pages of this host may frame it. */
export async function GET(request: Request, { params }: Next): Promise<Response> {
  // Outside of the wrapper, because Next itself must see the errors that mean a redirect or a 404.
  const { ctx } = await requireMember(params);
  return draw(request, ctx);
}

const draw = publicRoute<MemberContext>(async (request, ctx) => {
  const { searchParams } = new URL(request.url);
  const brand = await getBrand(ctx);
  const view = toPayView(madeUp(ctx, brand, searchParams), {
    language: "en",
    chosen: false,
    now: new Date(),
    stays: true,
    isPanelOpen: false,
  });
  const logo = brand.logo && (await findLogo(ctx, brand.logo));
  // The dashboard may have a host of its own, which serves no files of payers' pages.
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
});

const MAX_CHARACTERS = 200;

function madeUp({ merchant, actor }: MemberContext, business: PayerView["business"], typed: URLSearchParams): PayerView {
  const now = new Date();
  const description = [...(typed.get("description") ?? "")].slice(0, MAX_CHARACTERS).join("");
  const link: PayerView["link"] = {
    ...{ merchantId: merchant.id, id: "", reference: "PREVIEW", orderNo: "" },
    ...{ amount: nairaTyped(typed.get("amount") ?? "") ?? money(0n, "NGN"), description: description || null },
    ...{ customerName: null, customerEmail: null, callbackUrl: null, metadata: {}, status: "pending" },
    ...{ accountNumber: "0123456789", accountName: business.name, bankName: "Example Bank", checkoutUrl: "about:blank" },
    ...{ paidAt: null, recalledAt: null, replaces: null, replacedBy: null, transfers: [], isDue: false, madeBy: actor },
    ...{ createdAt: now, expiresAt: new Date(now.getTime() + VALID_FOR_MS) },
  };
  return {
    ...{ link, business, provider: "", mode: merchant.mode, suspended: false, replacement: null, sentAt: null, messageNumber: 0 },
    ...{ bankIsDown: false, embedOrigins: [] },
  };
}

const VALID_FOR_MS = 30 * MINUTE_MS;
