import { readFileSync } from "node:fs";
import { z } from "zod";
import { setBrand, setEmbedOrigins } from "#services/merchants/index.ts";
import { Misuse, merchantNamed } from "./cli-misuse.ts";

/** `none` takes it away. */
const orNone = <Schema extends z.ZodType>(schema: Schema) => z.union([z.literal("none").transform(() => null), schema]).optional();

const BrandOptions = z.object({
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .transform((hex) => hex.toLowerCase())
    .optional(),
  logo: orNone(z.string()),
  "support-email": orNone(z.email().max(254)),
  "support-phone": orNone(z.string().regex(/^\+?[\d ()-]{5,20}$/)),
});

const NOT_RIGHT = {
  colour: "--colour is like #0f766e; put it in quotes.",
  logo: "--logo is a file, or none.",
  "support-email": "--support-email is an email address, or none.",
  "support-phone": "--support-phone is a telephone number, or none.",
};

export async function brand(merchant: string, values: Record<string, unknown>): Promise<void> {
  const { businessId } = await merchantNamed(merchant);
  const given = BrandOptions.safeParse(values);
  if (!given.success)
    throw new Misuse(given.error.issues.map(({ path }) => NOT_RIGHT[String(path[0]) as keyof typeof NOT_RIGHT]).join(" "));
  if (Object.values(given.data).every((value) => value === undefined))
    throw new Misuse("Give at least one of --colour, --logo, --support-email and --support-phone.");
  const { colour, logo, "support-email": supportEmail, "support-phone": supportPhone } = given.data;
  await setBrand(businessId, { colour, logo: readLogo(logo), supportEmail, supportPhone });
  console.log(`Payers of ${businessId} see its brand so from now on, in both modes.`);
}

function readLogo(path: string | null | undefined): Uint8Array | null | undefined {
  if (typeof path !== "string") return path;
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
