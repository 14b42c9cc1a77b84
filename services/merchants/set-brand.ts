import { isDeepStrictEqual } from "node:util";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, transaction } from "#db/client.ts";
import type { AuditedFields } from "#db/schema/audit.ts";
import { BRAND_CHANGED } from "#db/schema/audit.ts";
import { businesses } from "#db/schema/tenants.ts";
import { parsed } from "#lib/parsed.ts";
import { toE164 } from "#lib/phone.ts";
import { typedText } from "#lib/typed-text.ts";
import { isOwnLastChange, noteInAudit, requireVersion } from "../audit/index.ts";
import type { BusinessContext } from "../context.ts";
import { emailText } from "../fields.ts";
import { markExecuted } from "../idempotency/index.ts";
import { requireUnrestricted } from "../members/index.ts";
import { verb } from "../verb.ts";
import { isLive } from "./is-live.ts";
import { logoName, storeLogo, toSmallWebp } from "./logo.ts";

const LOOKS_LIKE_A_PHONE = /^\+?[\d ()-]{5,20}$/;

/**
 * Returns a telephone number as people read it, without the marks of a messenger. It may be a short number of the Nigerian networks. With a
 * country code it must be complete. Returns undefined for other text.
 */
function toSupportPhone(text: string): string | undefined {
  const phone = typedText(text).replace(/^tel:/i, "");
  if (!LOOKS_LIKE_A_PHONE.test(phone)) return undefined;
  return phone.startsWith("+") && toE164(phone) === undefined ? undefined : phone;
}

/** The brand that payers see. An absent field stays as it is, and null removes its value. */
const BrandChanges = z.object({
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "Send a colour like #0f766e.")
    .transform((hex) => hex.toLowerCase())
    .optional(),
  supportEmail: emailText.nullable().optional(),
  supportPhone: z
    .string()
    .transform(toSupportPhone)
    .refine((phone) => phone !== undefined, "Send a telephone number.")
    .nullable()
    .optional(),
});

type BrandChanges = z.input<typeof BrandChanges> & {
  /** A PNG, JPEG or WebP picture, as it was uploaded. */
  logo?: Uint8Array | null | undefined;
  /** The version of the brand that the caller has read. Absent: the change is made without this check. */
  version?: number | undefined;
};

/**
 * Changes the given fields of a business's brand. Returns its version, which stays the same if nothing differs. A change whose
 * answer was lost may be sent again unchanged; if it was the last change, it is not repeated. Throws VALIDATION_ERROR for an invalid colour,
 * logo or contact, VERSION_CONFLICT where somebody has changed the brand since the caller read it, and PERMISSION_DENIED as `requireMayGive` does.
 */
export const setBrand = verb(
  { permission: "settings:write" },
  async (ctx: BusinessContext, { logo, version, ...changes }: BrandChanges): Promise<number> => {
    const { colour, supportEmail, supportPhone } = parsed(BrandChanges, changes);
    const { businessId } = ctx;
    // Checked before the picture is encoded, which takes long, and again under the lock.
    if (logo && version !== undefined) await transaction((tx) => requireNear(tx, businessId, version));
    const picture = logo ? await toSmallWebp(logo) : null;
    const name = picture && logoName(picture);
    return transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const [stored] = await tx
        .select({ ...BRAND, version: businesses.brandVersion })
        .from(businesses)
        .where(eq(businesses.id, businessId))
        .for("no key update");
      if (!stored) throw new Error(`no business ${businessId}`);
      const { version: storedVersion, ...before } = stored;
      const asked = givenOf({
        colour,
        logo: logo === undefined ? undefined : name,
        support_email: supportEmail,
        support_phone: supportPhone,
      });
      if (version !== undefined) {
        if (storedVersion === version + 1 && (await isOwnLastChange(tx, ctx, { ...aboutBrand(businessId), after: asked })))
          return storedVersion;
        await requireVersion(tx, { ...aboutBrand(businessId), stored: storedVersion, read: version });
        if (isDeepStrictEqual(asked, only(asked, before))) return storedVersion;
      }
      await requireMayGive(tx, ctx, { logo: name, supportEmail, supportPhone });
      if (picture) await storeLogo(tx, picture);
      await tx.execute(sql`
      update businesses set brand_version = brand_version + 1,
        brand_colour = coalesce(${colour ?? null}, brand_colour),
        logo = case when ${logo === undefined} then logo else ${name} end,
        support_email = case when ${supportEmail === undefined} then support_email else ${supportEmail ?? null} end,
        support_phone = case when ${supportPhone === undefined} then support_phone else ${supportPhone ?? null} end
      where id = ${businessId}`);
      await noteInAudit(tx, ctx, { businessId, action: BRAND_CHANGED, subject: businessId, before: only(asked, before), after: asked });
      return storedVersion + 1;
    });
  },
);

type Given = Record<"logo" | "supportEmail" | "supportPhone", string | null | undefined>;

/**
 * Throws PERMISSION_DENIED for another logo or contact while the member is restricted and a live area is on or asked for: payers would call somebody
 * else. The brand is the same in both modes, so this applies in both. Removing is not restricted.
 */
async function requireMayGive(tx: Tx, ctx: BusinessContext, { logo, supportEmail, supportPhone }: Given): Promise<void> {
  const gives = [logo, supportEmail, supportPhone].some((value) => value !== undefined && value !== null);
  if (gives && (await isLive(tx, ctx.businessId))) await requireUnrestricted(ctx, tx);
}

const aboutBrand = (businessId: string) => ({ businessId, subject: businessId, actions: [BRAND_CHANGED] });

/** Returns the fields that are present. */
const givenOf = (fields: Record<string, string | null | undefined>): AuditedFields =>
  Object.fromEntries(Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])));

/** Returns those fields of a brand that a change names. */
const only = (asked: AuditedFields, brand: AuditedFields): AuditedFields =>
  Object.fromEntries(Object.entries(brand).filter(([field]) => field in asked));

/** Throws VERSION_CONFLICT where others have changed the brand since the caller read it. One change may be the caller's own, without an answer. */
async function requireNear(tx: Tx, businessId: string, read: number): Promise<void> {
  const [row] = await tx.select({ version: businesses.brandVersion }).from(businesses).where(eq(businesses.id, businessId));
  const stored = row?.version ?? 0;
  if (stored !== read + 1) await requireVersion(tx, { ...aboutBrand(businessId), stored, read });
}

/** The columns of a brand, as the audit names them. A logo is named by a hash of its picture. */
const BRAND = {
  colour: businesses.brandColour,
  logo: businesses.logo,
  support_email: businesses.supportEmail,
  support_phone: businesses.supportPhone,
};
