import { readFileSync } from "node:fs";
import { z } from "zod";
import { setBrand, setEmbedOrigins } from "#services/merchants/index.ts";
import { Misuse, merchantNamed } from "./cli-misuse.ts";

const BrandOptions = z.object({
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "--colour is like #0f766e; put it in quotes.")
    .transform((hex) => hex.toLowerCase())
    .optional(),
  logo: z.string().optional(),
  "support-email": z.email("--support-email is not an email address.").max(254, "--support-email is too long.").optional(),
  "support-phone": z
    .string()
    .regex(/^\+?[\d ()-]{5,20}$/, "--support-phone is a telephone number.")
    .optional(),
});

export async function brand(merchant: string, values: Record<string, unknown>): Promise<void> {
  const { businessId } = await merchantNamed(merchant);
  const given = BrandOptions.safeParse(values);
  if (!given.success) throw new Misuse(given.error.issues.map(({ message }) => message).join(" "));
  const { colour, logo, "support-email": supportEmail, "support-phone": supportPhone } = given.data;
  await setBrand(businessId, { colour, logo: readLogo(logo), supportEmail, supportPhone });
  console.log(`Payers of ${businessId} see its brand so from now on, in both modes.`);
}

function readLogo(path: string | undefined): Uint8Array | null | undefined {
  if (path === undefined) return undefined;
  if (path === "none") return null;
  try {
    return readFileSync(path);
  } catch {
    throw new Misuse(`--logo: ${path} cannot be read.`);
  }
}

export async function embed(merchant: string, origins: string[]): Promise<void> {
  const listed = await setEmbedOrigins(await merchantNamed(merchant), origins);
  console.log(listed.length > 0 ? `Pages of ${listed.join(", ")} may frame payments.` : "No page may frame payments.");
}
