import { guarded } from "#app/guarded.ts";
import { PayPage, UnknownPage } from "#components/pay/page.tsx";
import type { PayView } from "#components/pay/view.ts";
import { findPayerView } from "#services/checkout/index.ts";
import { documentResponse } from "../document.tsx";
import { toPayView } from "../to-view.ts";

const CHECK_EVERY_S = 30;
const RETURN_AFTER_S = 5;

type Params = { params: Promise<{ reference: string }> };

/** The payer's page. Opening it allocates nothing. */
export const GET = guarded<Params>(async (_request, { params }) => {
  const { reference } = await params;
  const found = await findPayerView(reference);
  if (!found) {
    return documentResponse({ status: 404, title: "Payment not found", brandColour: "#0f766e", body: <UnknownPage /> });
  }
  const view = toPayView(found, new Date());
  return documentResponse({
    status: 200,
    title: `${titleOf(view)} · ${view.businessName}`,
    brandColour: found.business.brandColour,
    body: <PayPage view={view} />,
    data: { version: view.version, now: String(view.nowMs), expires: String(view.expiresAtMs) },
    refresh: refreshOf(view),
  });
});

function titleOf({ state, amount }: PayView): string {
  switch (state) {
    case "awaiting":
      return `Pay ${amount}`;
    case "paid":
      return `Paid ${amount}`;
    case "expired":
      return "Payment expired";
    case "suspended":
      return "Payment not available";
  }
}

function refreshOf({ state, returnTo }: PayView) {
  if (state === "awaiting") return { seconds: CHECK_EVERY_S };
  if (state === "paid" && returnTo?.automatic) return { seconds: RETURN_AFTER_S, url: returnTo.url };
  return undefined;
}
