import { z } from "zod";
import { instant, requiredName, textOf } from "../fields.ts";
import { ALL_PERMISSIONS, type Permission } from "../permissions.ts";
import { PROOF_WITH_FACTOR_FIELDS } from "../users/contract.ts";

export { ALL_PERMISSIONS, type Permission };

export const MAX_OVERLAP_HOURS = 720;
const MAX_ADDRESSES = 50;

/** Text that cannot be an id becomes an empty one, so that the answer is RESOURCE_NOT_FOUND, as for any unknown id. */
const id = z.string().transform((text) => (/^\w{1,64}$/.test(text) ? text : ""));

export const ApiKeyParams = z.object({ id: id.meta({ description: "The id of the key." }) });

const name = requiredName(60, "Send a name, such as the server that will use it.");

const permissions = z
  .array(z.enum(ALL_PERMISSIONS, { error: `Send permissions: ${ALL_PERMISSIONS.join(", ")}.` }), { error: "Send a list of permissions." })
  .min(1, "Send at least one permission.")
  .transform((all) => [...new Set(all)]);

const allowedIps = z
  .array(textOf(64), { error: "Send a list of addresses and CIDR ranges." })
  .max(MAX_ADDRESSES, `Send at most ${MAX_ADDRESSES} addresses.`)
  .transform((all) => [...new Set(all)])
  .meta({ description: "Addresses and CIDR ranges that may use the key. Empty: every address.", example: ["203.0.113.0/24"] });

export const CreateApiKey = z
  .strictObject({
    name,
    permissions,
    allowed_ips: allowedIps.default([]),
    expires_at: instant.nullable().default(null).meta({ description: "When the key ends by itself. Null: never." }),
    ...PROOF_WITH_FACTOR_FIELDS,
  })
  .meta({ id: "CreateApiKey" });

export const ChangeApiKey = z
  .strictObject({
    version: z.number({ error: "Send the version that you have read." }).int("Send the version that you have read."),
    name: name.optional(),
    permissions: permissions.optional(),
    allowed_ips: allowedIps.optional().meta({
      description:
        "Addresses and CIDR ranges that may use the key. Empty: every address; `null` is refused, because it could open a key by mistake.",
    }),
    ...PROOF_WITH_FACTOR_FIELDS,
  })
  .meta({ id: "ChangeApiKey" });

export const ResumeApiKey = z.strictObject(PROOF_WITH_FACTOR_FIELDS).meta({ id: "ResumeApiKey" });

export const RollApiKey = z
  .strictObject({
    overlap_hours: z
      .number({ error: "Send a number of hours." })
      .min(0, "Send 0 or more hours.")
      .max(MAX_OVERLAP_HOURS, `Send at most ${MAX_OVERLAP_HOURS} hours.`)
      .default(24)
      .meta({ description: "How long the old key works beside the new one." }),
    ...PROOF_WITH_FACTOR_FIELDS,
  })
  .meta({ id: "RollApiKey" });

const ActorObject = z.object({ type: z.enum(["api_key", "member", "operator", "cli", "system"]), id: z.string() });

export const ApiKeyObject = z
  .object({
    id: z.string(),
    public_key: z.string(),
    secret_key: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "In the first answer to creating and rolling only. Null: it was sent before, or lost; roll the key." }),
    name: z.string(),
    state: z.enum(["active", "rolled", "ended", "paused", "revoked"]),
    permissions: z.array(z.string()),
    allowed_ips: z.array(z.string()),
    version: z.number().int(),
    made_by: ActorObject,
    replaced_by: z.string().nullable().meta({ description: "The id of the key that it was rolled to." }),
    last_used_at: z.iso.datetime().nullable(),
    last_used_address: z.string().nullable(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "ApiKey" });

export const RolledApiKey = ApiKeyObject.extend({
  old: ApiKeyObject.meta({ description: "The key that it replaces, with its end." }),
}).meta({ id: "RolledApiKey" });
