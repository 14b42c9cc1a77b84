import { z } from "zod";

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
