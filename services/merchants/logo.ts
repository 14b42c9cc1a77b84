import { hash } from "node:crypto";
import { sql as fragment } from "drizzle-orm";
import pLimit from "p-limit";
import sharp from "sharp";
import { sql, type Tx } from "#db/client.ts";
import { invalid, Problem } from "#lib/problem.ts";
import type { Context } from "../context.ts";

const unusable = (message: string) => invalid("logo", message);

/** Returns the WebP bytes of the logo with this name, or undefined. A business stores the name in its brand. */
export async function findLogo(_ctx: Context, name: string): Promise<Uint8Array | undefined> {
  if (!/^[0-9a-f]{32}$/.test(name)) return undefined;
  const [row] = await sql()<{ webp_base64: string }[]>`select webp_base64 from logos where name = ${name}`;
  return row && Buffer.from(row.webp_base64, "base64");
}

/** Returns the name of a drawn logo: a hash of its bytes. */
export const logoName = (webp: Buffer): string => hash("sha256", webp).slice(0, 32);

/**
 * Stores a logo under its name. Businesses with the same logo share one row. Locks the row until the commit, even an existing one, because
 * `purgeUnusedLogos` must not delete it before the brand names it.
 */
export async function storeLogo(tx: Tx, webp: Buffer): Promise<void> {
  await tx.execute(fragment`
    insert into logos as l (name, webp_base64) values (${logoName(webp)}, ${webp.toString("base64")})
    on conflict (name) do update set created_at = l.created_at`);
}

/** The share of the logo in the payer's page, which has at most 20 KB in all. */
const MAX_LOGO_BYTES = 5 * 1024;
export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
/** The media types of pictures that `toSmallWebp` takes. */
export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
const MEGAPIXEL = 1_000_000;
const MAX_PIXELS = 25 * MEGAPIXEL;
/** Twice the size on the page, for sharp screens. */
const BOX = { width: 320, height: 80 };
const QUALITIES = [85, 70, 50, 30];

/**
 * Returns a picture re-encoded as a WebP of at most 5 KB, so that only its pixels reach a payer: no metadata, and no other content of the
 * file. At most two pictures are drawn at once in a process, and a few others wait. Throws VALIDATION_ERROR, also for a picture of more than
 * `maxPixels`, and RATE_LIMITED when too many wait.
 */
export async function toSmallWebp(picture: Uint8Array, maxPixels = MAX_PIXELS): Promise<Buffer> {
  if (picture.byteLength > MAX_UPLOAD_BYTES) throw unusable("The logo has more than 5 MB. Send a smaller one.");
  if (decoding.pendingCount >= MAX_WAITING) {
    throw new Problem("RATE_LIMITED", "Many logos are drawn at this moment. Wait 2 seconds, then send it again.", {
      headers: { "Retry-After": String(RETRY_AFTER_S) },
    });
  }
  return decoding(() => draw(picture, maxPixels));
}

async function draw(picture: Uint8Array, maxPixels: number): Promise<Buffer> {
  const format = await formatOf(picture, maxPixels);
  if (format !== "png" && format !== "jpeg" && format !== "webp")
    throw unusable(`The logo must be a PNG, JPEG or WebP picture of at most ${maxPixels / MEGAPIXEL} megapixels.`);
  const small = await shrink(picture, maxPixels);
  for (const quality of QUALITIES) {
    const webp = await sharp(small.data, { raw: small.info }).webp({ quality, effort: 6 }).toBuffer();
    if (webp.byteLength <= MAX_LOGO_BYTES) return webp;
  }
  throw unusable("The logo has too much detail to be small. Send a simpler one.");
}

/** A picture of 25 megapixels takes 100 MB while it is drawn. */
const MAX_DECODES = 2;
const decoding = pLimit(MAX_DECODES);
/** The most pictures that wait. Each keeps its bytes in memory until its turn. */
const MAX_WAITING = 8;
const RETRY_AFTER_S = 2;

async function formatOf(picture: Uint8Array, maxPixels: number): Promise<string | undefined> {
  try {
    return (await sharp(picture, { limitInputPixels: maxPixels }).metadata()).format;
  } catch {
    // The bytes are not a readable picture, so the caller refuses them.
    return undefined;
  }
}

/** Returns the pixels of a picture in the size of a logo. The large picture is decoded once, whatever qualities are tried. */
async function shrink(picture: Uint8Array, maxPixels: number) {
  try {
    return await sharp(picture, { limitInputPixels: maxPixels })
      .autoOrient()
      .resize({ ...BOX, fit: "inside", withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch {
    throw unusable(`The logo could not be read. Is the file whole, and not larger than ${maxPixels / MEGAPIXEL} megapixels?`);
  }
}
