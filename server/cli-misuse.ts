import { eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";

/** Something that the caller can mend: said in one line. */
export class Misuse extends Error {
  override name = "Misuse";
}

/** Why an operator does what cannot be undone, for the audit. Throws `Misuse`. */
export function reasonOf(reason: string | undefined): string {
  if (!reason?.trim()) throw new Misuse('--reason is missing. Write what you found: --reason "The issuer confirmed it by email."');
  return reason.trim();
}

/** Throws `Misuse`. */
export async function merchantNamed(id: string) {
  const [merchant] = await db().select().from(merchants).where(eq(merchants.id, id));
  if (!merchant) throw new Misuse(`There is no merchant ${id}. See: npm run oja -- list`);
  return merchant;
}
