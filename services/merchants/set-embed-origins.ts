import { eq } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { toWebAddress } from "#lib/web-address.ts";
import { noteInAudit, requireVersion } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import { requireUnrestrictedInLive } from "../members/index.ts";
import { verb } from "../verb.ts";

const ACTION = "embed_origins.changed";
const MAX_ORIGINS = 10;
/** Stricter than the host of a URL: the origin goes into a Content-Security-Policy, where `;` ends a directive and `,` a policy. */
const HOST = /^([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])$/;

/**
 * Sets the origins whose pages may frame the merchant's payment pages. An empty list refuses all. Returns the origins as browsers spell
 * them. `from` are the origins that the caller has read. Throws VALIDATION_ERROR, VERSION_CONFLICT where somebody has changed them since, and in live
 * mode PERMISSION_DENIED for another origin while the member is restricted, who may remove origins.
 */
export const setEmbedOrigins = verb(
  { permission: "settings:write" },
  async (ctx: TenantContext, origins: readonly string[], from?: readonly string[]): Promise<string[]> => {
    const { id, mode } = ctx.merchant;
    const listed = [...new Set(origins.map((text, i) => toOrigin(text, i + 1, mode)))];
    if (listed.length > MAX_ORIGINS) throw invalid("origins", `List at most ${MAX_ORIGINS} origins.`);
    await transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const [merchant] = await tx
        .select({ embed_origins: merchants.embedOrigins })
        .from(merchants)
        .where(eq(merchants.id, id))
        .for("no key update");
      const stored = merchant?.embed_origins ?? [];
      if (textOf(stored) === textOf(listed)) return;
      if (listed.some((origin) => !stored.includes(origin))) await requireUnrestrictedInLive(ctx, tx);
      if (from) {
        const about = { merchantId: id, subject: id, actions: [ACTION] };
        await requireVersion(tx, { ...about, stored: textOf(stored), read: textOf(from) });
      }
      await tx.update(merchants).set({ embedOrigins: listed }).where(eq(merchants.id, id));
      await noteInAudit(tx, ctx, {
        ...{ merchantId: id, action: ACTION, subject: id },
        ...{ before: merchant ?? null, after: { embed_origins: listed } },
      });
    });
    return listed;
  },
);

const textOf = (origins: readonly string[]) => origins.join(" ");

/**
 * Returns the origin as browsers spell it. Refuses wildcards: each origin that frames a payment page is named. The refusal names it by its number,
 * because the text may contain a password, and the request log stores refusals.
 */
function toOrigin(text: string, number: number, mode: "test" | "live"): string {
  const url = toWebAddress(text);
  const isBare = url !== undefined && url.href === `${url.origin}/` && HOST.test(url.hostname);
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && mode === "test");
  if (!isBare || !isSecure) {
    throw invalid(
      "origins",
      `Number ${number} is not an origin like https://shop.example. List each without a path, a user name or a wildcard${mode === "live" ? ", in live mode with https alone" : ""}.`,
    );
  }
  return url.origin;
}
