import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";
import { invalid, notFound } from "#lib/problem.ts";
import { noteInAudit } from "../audit/index.ts";
import type { Context, OperatorContext, TenantContext } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import { type ProviderKind, registries, requireGreen } from "../providers/index.ts";
import { verb } from "../verb.ts";

/**
 * Binds a provider to a merchant, for everything that the merchant makes from now on. Links, cards and purchases at another provider stay
 * there. Changes and notes nothing where the provider is bound already. Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR for a name that no
 * provider of that kind and mode has, and for a bank without a green check where live mode is open. A CHECK keeps the sandbox out of live mode.
 */
export const bindProvider = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, merchantId: string, kind: ProviderKind, provider: string): Promise<void> => {
    if (kind === "bank" && registries.bank.names("live").includes(provider) && (await isUnlocked(merchantId))) await requireGreen(provider);
    await transaction((tx) => bind(tx, ctx, { merchantId, kind, provider }));
  },
);

/** Returns whether live mode of a merchant is open. */
export async function isUnlocked(merchantId: string): Promise<boolean> {
  const { id, liveUnlockedAt } = merchants;
  const found = await db()
    .select({ id })
    .from(merchants)
    .where(and(eq(id, merchantId), isNotNull(liveUnlockedAt)));
  return found.length > 0;
}

/**
 * Binds a provider of the sandbox to the caller's own merchant, as `bindProvider` does. Throws RESOURCE_NOT_FOUND in live mode, where only
 * operators bind, and VALIDATION_ERROR for a name that no provider of that kind has.
 */
export const bindSandbox = verb(
  { permission: "test:write" },
  async (ctx: TenantContext, kind: ProviderKind, provider: string): Promise<void> => {
    const { id: merchantId, mode } = ctx.merchant;
    if (mode !== "test") throw notFound("sandbox");
    await transaction(async (tx) => {
      await markExecuted(tx, ctx);
      await bind(tx, ctx, { merchantId, kind, provider });
    });
  },
);

interface Binding {
  merchantId: string;
  kind: ProviderKind;
  provider: string;
}

async function bind(tx: Tx, ctx: Context, { merchantId, kind, provider }: Binding): Promise<void> {
  const [merchant] = await tx.execute<{ mode: "test" | "live" }>(sql`
    select mode from merchants where id = ${merchantId} for no key update`);
  if (!merchant) throw notFound("merchant");
  const names = registries[kind].names(merchant.mode);
  if (names.length === 0) throw invalid(kind, `There is no ${kind} for ${merchant.mode} mode yet.`);
  if (!names.includes(provider)) throw invalid(kind, `No ${kind} of ${merchant.mode} mode has this name. Choose from ${names.join(", ")}.`);
  const [bound] = await tx.execute<{ provider: string }>(sql`
    select provider from merchant_providers where merchant_id = ${merchantId} and kind = ${kind}`);
  if (bound?.provider === provider) return;
  await tx.execute(sql`
    insert into merchant_providers (merchant_id, kind, mode, provider) values (${merchantId}, ${kind}, ${merchant.mode}, ${provider})
    on conflict (merchant_id, kind) do update set provider = excluded.provider`);
  const [before, after] = [{ [kind]: bound?.provider ?? null }, { [kind]: provider }];
  await noteInAudit(tx, ctx, { merchantId, action: "provider.bound", subject: merchantId, before, after });
}
