import { z } from "zod";
import { type Money, money } from "#lib/money.ts";

// Amounts of Naira in the answers of providers. Nothing is rounded: an amount that is not exact is refused.

/** Naira with at most two decimals, as a text or a number. */
export const nairaAmount = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => /^\d{1,12}(\.\d{1,2})?$/.test(text))
  .transform((text): Money => {
    const [whole = "", part = ""] = text.split(".");
    return money(BigInt(whole + part.padEnd(2, "0")), "NGN");
  });

/** Kobo, as a text or a number. */
export const koboAmount = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,15}$/)])
  .transform((amount): Money => money(BigInt(amount), "NGN"));
