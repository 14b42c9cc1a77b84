import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { setBrand, setEmbedOrigins } from "#services/merchants/index.ts";
import { Misuse, merchantNamed } from "./context.ts";
import { collected } from "./options.ts";

export function addBrandCommands(program: Command): void {
  program
    .command("brand <merchant>")
    .description("Changes what payers see of a business, in both modes.")
    .option("--colour <colour>", 'like "#0f766e"; put it in quotes')
    .option("--logo <file>", "a PNG, JPEG or WebP picture, or none")
    .option("--support-email <email>", "or none")
    .option("--support-phone <number>", "or none")
    .action(brand);
  program
    .command("embed <merchant>")
    .description("Lists the origins whose pages may frame the payment pages of a merchant. Without an origin, no page may.")
    .option("--origin <origin>", "like https://shop.example; more than once for more", collected)
    .action(embed);
}

interface BrandOptions {
  colour?: string;
  logo?: string;
  supportEmail?: string;
  supportPhone?: string;
}

/** Returns null for `none`, which removes the value. */
const orNone = (text: string | undefined): string | null | undefined => (text === "none" ? null : text);

async function brand(merchant: string, { colour, logo, supportEmail, supportPhone }: BrandOptions): Promise<void> {
  if ([colour, logo, supportEmail, supportPhone].every((option) => option === undefined))
    throw new Misuse("Give at least one of --colour, --logo, --support-email and --support-phone.");
  const ctx = await merchantNamed(merchant);
  const contacts = { supportEmail: orNone(supportEmail), supportPhone: orNone(supportPhone) };
  await setBrand(ctx, { colour, logo: readLogo(orNone(logo)), ...contacts });
  console.log(`Payers of ${ctx.businessId} see this brand from now on, in both modes.`);
}

function readLogo(path: string | null | undefined): Uint8Array | null | undefined {
  if (typeof path !== "string") return path;
  try {
    return readFileSync(path);
  } catch {
    throw new Misuse(`--logo: ${path} cannot be read.`);
  }
}

async function embed(merchant: string, { origin: origins = [] }: { origin?: string[] }): Promise<void> {
  const listed = await setEmbedOrigins(await merchantNamed(merchant), origins);
  console.log(listed.length > 0 ? `Pages of ${listed.join(", ")} may frame payments.` : "No page may frame payments.");
}
