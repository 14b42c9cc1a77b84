import { hash } from "node:crypto";
import sharp from "sharp";
import { sql } from "#db/client.ts";

/** What payers see of a business. What is absent stays as it is; null takes it away. */
export interface Brand {
  /** `#rrggbb` */
  colour?: string | undefined;
  /** A PNG, JPEG or WebP picture, as it was uploaded. */
  logo?: Uint8Array | null | undefined;
  supportEmail?: string | null | undefined;
  supportPhone?: string | null | undefined;
}

/** The logo is no picture that we can take. The message says what to do. */
export class UnusableLogo extends Error {
  override name = "UnusableLogo";
}

export async function setBrand(businessId: string, { colour, logo, supportEmail, supportPhone }: Brand): Promise<void> {
  const name = logo ? await storeLogo(logo) : null;
  await sql()`
    update businesses set
      brand_colour = coalesce(${colour ?? null}, brand_colour),
      logo = case when ${logo === undefined} then logo else ${name} end,
      support_email = case when ${supportEmail === undefined} then support_email else ${supportEmail ?? null} end,
      support_phone = case when ${supportPhone === undefined} then support_phone else ${supportPhone ?? null} end
    where id = ${businessId}`;
}

/** The bytes of a logo (WebP) by the name that a business's brand has for it. */
export async function findLogo(name: string): Promise<Uint8Array | undefined> {
  if (!/^[0-9a-f]{32}$/.test(name)) return undefined;
  const [row] = await sql()<{ webp_base64: string }[]>`select webp_base64 from logos where name = ${name}`;
  return row && Buffer.from(row.webp_base64, "base64");
}

async function storeLogo(picture: Uint8Array): Promise<string> {
  const webp = await toSmallWebp(picture);
  const name = hash("sha256", webp).slice(0, 32);
  await sql()`insert into logos (name, webp_base64) values (${name}, ${webp.toString("base64")}) on conflict do nothing`;
  return name;
}

/** A share of the page's 20 KB. */
const LOGO_BYTES_AT_MOST = 5 * 1024;
const UPLOAD_BYTES_AT_MOST = 5 * 1024 * 1024;
const PIXELS_AT_MOST = 25_000_000;
/** Twice what the page shows, for sharp screens. */
const BOX = { width: 320, height: 80 };
const QUALITIES = [85, 70, 50, 30];

/** Drawn anew, so that nothing but its pixels reaches a payer: no metadata, and none of whatever else the file may carry. Throws `UnusableLogo`. */
async function toSmallWebp(picture: Uint8Array): Promise<Buffer> {
  if (picture.byteLength > UPLOAD_BYTES_AT_MOST) throw new UnusableLogo("The logo has more than 5 MB. Send a smaller one.");
  const format = await formatOf(picture);
  if (format !== "png" && format !== "jpeg" && format !== "webp")
    throw new UnusableLogo("The logo must be a PNG, JPEG or WebP picture of at most 25 megapixels.");
  for (const quality of QUALITIES) {
    const webp = await shrink(picture, quality);
    if (webp.byteLength <= LOGO_BYTES_AT_MOST) return webp;
  }
  throw new UnusableLogo("The logo has too much detail to be small. Send a simpler one.");
}

async function formatOf(picture: Uint8Array): Promise<string | undefined> {
  try {
    return (await sharp(picture, { limitInputPixels: PIXELS_AT_MOST }).metadata()).format;
  } catch {
    // No picture, as far as can be told: the caller refuses it.
    return undefined;
  }
}

async function shrink(picture: Uint8Array, quality: number): Promise<Buffer> {
  try {
    return await sharp(picture, { limitInputPixels: PIXELS_AT_MOST })
      .autoOrient()
      .resize({ ...BOX, fit: "inside", withoutEnlargement: true })
      .webp({ quality, effort: 6 })
      .toBuffer();
  } catch {
    throw new UnusableLogo("The logo could not be read. Is the file whole, and not larger than 25 megapixels?");
  }
}
