import { payer } from "#app/pay/payer.ts";
import { formatMoney } from "#lib/money.ts";
import { plainText } from "#lib/plain-text.ts";
import { findPayerView } from "#services/checkout/index.ts";
import { BARE_REFUSALS, payerRoute } from "../../payer-route.ts";
import { drawPreview } from "../../preview-image.ts";

/** Of a public page: it is drawn once, and has 20 KB. */
const COST = { pages: 5 };

/** What a messenger shows of a link: whom it pays and how much, and nothing else. */
export const GET = payerRoute(
  BARE_REFUSALS,
  async (_request, reference) => {
    const found = await findPayerView(payer, reference);
    if (!found) return undefined;
    const { business, link, mode } = found;
    const png = await drawPreview({
      name: plainText(business.name),
      amount: formatMoney(link.amount),
      colour: business.brandColour,
      isTest: mode === "test",
    });
    return new Response(new Uint8Array(png), {
      headers: { "Content-Type": "image/png", "Cache-Control": "private, max-age=86400", "X-Robots-Tag": "noindex" },
    });
  },
  COST,
);
