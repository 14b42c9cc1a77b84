import { z } from "zod";
import { typedName } from "../fields.ts";

export const AreaParams = z.object({ area: z.string().meta({ description: "checkout, cards or vtu." }) });

/** Whether an area is on, and since when a request for it is open. */
export const AreaRequestObject = z.object({
  area: z.enum(["checkout", "cards", "vtu"]),
  is_on: z.boolean(),
  requested_at: z.iso.datetime().nullable().meta({ description: "Since when operators see the request. Null where none is open." }),
});

/** Binds a provider of the sandbox to a test merchant. */
export const BindSandbox = z
  .strictObject({
    kind: z.enum(["bank", "issuer", "aggregator"], { error: "Send bank, issuer or aggregator." }),
    provider: z.string({ error: "Send the name of a provider." }).max(64, "Send the name of a provider."),
  })
  .meta({ id: "BindSandbox" });

export const SandboxBinding = z.object({ kind: z.string(), provider: z.string() }).meta({ id: "SandboxBinding" });

/** The name of a business, as payers read it. */
export const businessName = typedName(80, "Type the name of your business.");

export const NewBusinessForm = z.object({ business: businessName });

export const RenameBusiness = z
  .strictObject({
    name: businessName,
    from: z.string().meta({ description: "The name that the caller has read." }),
    from_requested: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: "The name that the caller has seen waiting for an operator, and replaces." }),
  })
  .meta({ id: "RenameBusiness" });

export const BusinessNameObject = z
  .object({ name: z.string(), requested_name: z.string().nullable().meta({ description: "Waits for an operator." }) })
  .meta({ id: "BusinessName" });

const version = z.number({ error: "Send the version that you have read." }).int("Send the version that you have read.");
const textOrNone = z.string({ error: "Send text, or null to remove it." }).nullable().optional();

export const ChangeBrand = z
  .strictObject({
    version,
    colour: z.string({ error: "Send a colour like #0f766e." }).optional(),
    logo: z.null({ error: "Send null to remove the logo. A new one is sent to its own endpoint." }).optional(),
    support_email: textOrNone,
    support_phone: textOrNone,
  })
  .meta({ id: "ChangeBrand" });

export const LogoQuery = z.object({
  version: z
    .string({ error: "Send the version that you have read." })
    .regex(/^[1-9]\d{0,8}$/, "Send the version that you have read.")
    .transform(Number),
});

/** A picture, as it was uploaded. `setBrand` decodes and encodes it again. */
export const Picture = z.instanceof(Uint8Array);

export const BrandObject = z
  .object({
    version: z.number().int(),
    colour: z.string(),
    has_logo: z.boolean(),
    support_email: z.string().nullable(),
    support_phone: z.string().nullable(),
  })
  .meta({ id: "Brand" });

const origins = z.array(z.string().max(300, "This is longer than an origin."), { error: "Send a list of origins." });

export const SetEmbedOrigins = z
  .strictObject({ origins, from: origins.meta({ description: "The origins that the caller has read." }) })
  .meta({ id: "SetEmbedOrigins" });

export const EmbedOrigins = z.object({ origins: z.array(z.string()) }).meta({ id: "EmbedOrigins" });

export const FirstSteps = z.strictObject({ put_away: z.boolean({ error: "Send true or false." }) }).meta({ id: "FirstSteps" });
