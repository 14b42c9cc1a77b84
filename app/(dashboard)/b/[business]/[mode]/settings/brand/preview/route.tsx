import { refusalOfForeign } from "#app/_people/form-route.ts";
import { memberRoute } from "#app/_people/member-route.ts";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { drawPreview } from "#app/(dashboard)/_preview/draw-preview.tsx";
import { money } from "#lib/money.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { getBrand, toSmallWebp } from "#services/merchants/index.ts";

/** A picture that the browser has shrunk to 40 KB, in base64. The server's border lets no larger form in. */
const MAX_BYTES = 64 * 1024;
/** The browser has shrunk it to 640 by 160 pixels. A larger one takes as long as an upload to decode, and uploads have a limit of their own. */
const MAX_PIXELS = 1_000_000;
/** A picture is decoded and encoded again, which takes as long as many small pages. */
const COST = 10;
const COLOUR = /^#[0-9a-f]{6}$/i;
const MAX_CONTACT = 254;
const SAMPLE = { amount: money(500_000n, "NGN"), description: "Two bags of rice" };

/** The payer's page in a brand that is not saved: its colour, contacts and picture come with the form and are kept nowhere. */
export const POST = memberRoute(
  async (request, ctx) => {
    if (!mayChange(ctx, "settings:write")) return new Response("Your role does not change the brand.", { status: 403 });
    const foreign = refusalOfForeign(request);
    if (foreign) return foreign;
    const bytes = await readAtMost(request, MAX_BYTES);
    if (!bytes) return new Response("The picture is too large for a preview.", { status: 413 });
    const typed = new URLSearchParams(new TextDecoder().decode(bytes));
    const brand = await getBrand(ctx);
    const colour = typed.get("colour") ?? "";
    return drawPreview(ctx, {
      ...SAMPLE,
      brand: {
        ...brand,
        brandColour: COLOUR.test(colour) ? colour.toLowerCase() : brand.brandColour,
        supportEmail: contact(typed.get("support_email")),
        supportPhone: contact(typed.get("support_phone")),
        logo: typed.get("logo") === "none" ? null : brand.logo,
      },
      unsavedLogo: await pictureIn(typed.get("logo") ?? ""),
    });
  },
  { pages: COST },
);

const contact = (text: string | null): string | null => text?.trim().slice(0, MAX_CONTACT) || null;

/**
 * Returns the logo of a `data:` address, as payers would get it. Undefined if empty, no picture, or of more pixels than a browser
 * sends: the reader learns the reason when saving.
 */
async function pictureIn(text: string): Promise<Uint8Array | undefined> {
  const [, base64] = /^data:image\/(?:webp|png|jpeg);base64,([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  if (base64 === undefined) return undefined;
  return toSmallWebp(Buffer.from(base64, "base64"), MAX_PIXELS).catch(() => undefined);
}
