import { z } from "zod";
import { plainText } from "#lib/plain-text.ts";

export const AreaParams = z.object({ area: z.string().meta({ description: "checkout, cards or vtu." }) });

/** Whether an area is on, and since when somebody asks for it. */
export const AreaRequestObject = z.object({
  area: z.enum(["checkout", "cards", "vtu"]),
  is_on: z.boolean(),
  requested_at: z.iso.datetime().nullable().meta({ description: "Since when operators see the request. Null where none is open." }),
});

/** Which provider of the sandbox stands behind a test merchant. */
export const BindSandbox = z
  .strictObject({
    kind: z.enum(["bank", "issuer", "aggregator"], { error: "Send bank, issuer or aggregator." }),
    provider: z.string({ error: "Send the name of a provider." }).max(64, "Send the name of a provider."),
  })
  .meta({ id: "BindSandbox" });

export const SandboxBinding = z.object({ kind: z.string(), provider: z.string() }).meta({ id: "SandboxBinding" });

/** The name of a business, as payers read it. */
export const businessName = z
  .string({ error: "Type the name of your business." })
  .trim()
  .min(1, "Type the name of your business.")
  .max(80, "Use at most 80 characters.")
  .refine((text) => plainText(text) === text, "Use one line of letters, digits and signs.");

export const NewBusinessForm = z.object({ business: businessName });
