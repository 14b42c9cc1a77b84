import { z } from "zod";
import { asciiEmail } from "#lib/ascii-email.ts";
import { PROOF_FIELDS } from "../users/contract.ts";
import { ROLES } from "./contract.ts";

/** Text that cannot be an id becomes an empty one, so that the answer is RESOURCE_NOT_FOUND, as for any unknown id. */
const id = z.string().transform((text) => (/^\w{1,64}$/.test(text) ? text : ""));
const role = z.enum(ROLES, { error: `Send a role: ${ROLES.join(", ")}.` });
const email = z
  .string({ error: "Type an email." })
  .trim()
  .min(1, "Type an email.")
  .max(254, "This is not an email address.")
  .transform(asciiEmail)
  .pipe(z.email("This is not an email address.").max(254, "This is not an email address."));

export const MemberParams = z.object({ id: id.meta({ description: "The id of the person." }) });
export const InvitationParams = z.object({ id: id.meta({ description: "The id of the invitation." }) });

export const InviteMember = z.strictObject({ email, role, ...PROOF_FIELDS }).meta({ id: "InviteMember" });

export const ChangeRole = z
  .strictObject({
    role,
    from: role.meta({ description: "The role that the caller has read. Another one by now is a VERSION_CONFLICT." }),
    ...PROOF_FIELDS,
  })
  .meta({ id: "ChangeRole" });

export const HandOver = z.strictObject(PROOF_FIELDS).meta({ id: "HandOver" });

export const RemoveMember = z.strictObject(PROOF_FIELDS).meta({ id: "RemoveMember" });
export const ResendInvitation = z.strictObject(PROOF_FIELDS).meta({ id: "ResendInvitation" });

export const LeaveBusiness = z
  .strictObject({ business_id: z.string({ error: "Send the id of the business that you leave." }), ...PROOF_FIELDS })
  .meta({ id: "LeaveBusiness" });

export const RequireTwoFactor = z
  .strictObject({ required: z.boolean({ error: "Send true or false." }), ...PROOF_FIELDS })
  .meta({ id: "RequireTwoFactor" });

export const InvitationObject = z
  .object({
    id: z.string(),
    email: z.string(),
    role,
    state: z.enum(["open", "expired", "lapsed", "accepted", "withdrawn", "declined"]),
    sent_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "Invitation" });

export const MemberObject = z.object({ id: z.string(), role }).meta({ id: "Member" });
export const FormerMember = z.object({ id: z.string(), removed: z.literal(true) }).meta({ id: "FormerMember" });
export const TwoFactorRule = z
  .object({ required_since: z.iso.datetime().nullable().meta({ description: "Null: each member chooses." }) })
  .meta({ id: "TwoFactorRule" });
