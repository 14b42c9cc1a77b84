import { z } from "zod";
import { open, seal } from "#lib/sealed.ts";
import type { Delivery } from "#providers/aggregator.ts";

const Secrets = z.object({ tokens: z.array(z.string()), pins: z.array(z.object({ serial: z.string(), pin: z.string() })) });
/** Tokens and pins. Anyone who knows them can use them, so rows keep them sealed. */
export type Secrets = z.output<typeof Secrets>;

/** The row that the secrets are sealed for. */
interface Owner {
  merchantId: string;
  id: string;
}

const belongsTo = ({ merchantId, id }: Owner) => `${merchantId}/${id}`;

/** Returns tokens and pins sealed for their row, or null where there are none. */
export function sealSecrets(purchase: Owner, { tokens, pins }: Delivery): string | null {
  if (tokens.length === 0 && pins.length === 0) return null;
  return seal("vtu-delivery", JSON.stringify({ tokens, pins } satisfies Secrets), belongsTo(purchase));
}

/** Returns the tokens and pins of a row. Throws `CannotOpen` where they were sealed under another key or for another row. */
export function openSecrets(purchase: Owner & { secrets: string | null }): Secrets {
  if (purchase.secrets === null) return { tokens: [], pins: [] };
  return Secrets.parse(JSON.parse(open("vtu-delivery", purchase.secrets, belongsTo(purchase))));
}
