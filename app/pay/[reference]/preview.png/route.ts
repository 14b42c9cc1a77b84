import { payer } from "#app/pay/payer.ts";
import { formatMoney } from "#lib/money.ts";
import { plainText } from "#lib/plain-text.ts";
import { findPayerView } from "#services/checkout/index.ts";
import { BARE_REFUSALS, payerRoute } from "../../payer-route.ts";
import { drawPreview } from "../../preview-image.ts";

/** The image has 20 KB, as much as a few small pages. Drawing costs little, because each image is drawn once and cached. */
const COST = { pages: 5 };

/** The image that a messenger shows for a link: the merchant's name and the amount, and nothing else. */
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
