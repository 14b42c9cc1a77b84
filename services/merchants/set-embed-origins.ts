import { eq } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { noteInAudit } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";

const MAX_ORIGINS = 10;
/** Narrower than what a URL may have: this goes into a policy, where `;` and `,` end a directive. */
const HOST = /^([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])$/;

/** Lists the origins whose pages may frame the merchant's payment pages; none refuses all. Returns them as browsers spell them. Throws VALIDATION_ERROR. */
export async function setEmbedOrigins(ctx: TenantContext, origins: string[]): Promise<string[]> {
  const { id, mode } = ctx.merchant;
  const listed = [...new Set(origins.map((origin) => toOrigin(origin, mode)))];
  if (listed.length > MAX_ORIGINS) throw invalid("origins", `List at most ${MAX_ORIGINS} origins.`);
  await transaction(async (tx) => {
    await tx.update(merchants).set({ embedOrigins: listed }).where(eq(merchants.id, id));
    await noteInAudit(tx, ctx, { merchantId: id, action: "embed_origins.changed", subject: listed.join(" ") });
  });
  return listed;
}

/** In the one spelling that browsers use. No wildcard: each page that frames a payment is named. */
function toOrigin(text: string, mode: "test" | "live"): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBare = url !== undefined && url.href === `${url.origin}/` && HOST.test(url.hostname);
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && mode === "test");
  if (!isBare || !isSecure) {
    throw invalid(
      "origins",
      `${text} is not an origin like https://shop.example${mode === "live" ? ": live mode takes https alone" : ""}.`,
    );
  }
  return url.origin;
}
