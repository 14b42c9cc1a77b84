import { asc, eq } from "drizzle-orm";
import { type Database, db, type Tx, transaction } from "#db/client.ts";
import { fallbackBanks, merchants } from "#db/schema/tenants.ts";
import { invalid, notFound } from "#lib/problem.ts";
import { noteInAudit } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";
import { banks, requireGreen } from "../providers/index.ts";
import { verb } from "../verb.ts";
import { isUnlocked } from "./bind-provider.ts";

/** Returns the names of the banks that open a merchant's accounts where its bank is down, the first one first. */
export async function readFallbackBanks(merchantId: string, tx: Tx | Database = db()): Promise<string[]> {
  const rows = await tx
    .select({ provider: fallbackBanks.provider })
    .from(fallbackBanks)
    .where(eq(fallbackBanks.merchantId, merchantId))
    .orderBy(asc(fallbackBanks.position));
  return rows.map(({ provider }) => provider);
}

/**
 * Replaces the banks that open a merchant's accounts where its bank is down. None ends failing over. Changes and notes nothing where they are these already.
 * Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR for a name that no bank of the merchant's mode has, or that is there twice,
 * and for a bank without a green check where live mode is open. Locks: merchant, head of the
 * audit.
 */
export const setFallbackBanks = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, merchantId: string, names: readonly string[]): Promise<void> => {
    if (await isUnlocked(merchantId)) for (const name of names) await requireGreen(name);
    await transaction(async (tx) => {
      const [merchant] = await tx
        .select({ mode: merchants.mode, businessId: merchants.businessId })
        .from(merchants)
        .where(eq(merchants.id, merchantId))
        .for("no key update");
      if (!merchant || merchant.businessId === PLATFORM_BUSINESS) throw notFound("merchant");
      requireBanks(names, banks.names(merchant.mode));
      const before = await readFallbackBanks(merchantId, tx);
      if (before.join() === names.join()) return;
      await tx.delete(fallbackBanks).where(eq(fallbackBanks.merchantId, merchantId));
      const rows = names.map((provider, at) => ({ merchantId, position: at + 1, mode: merchant.mode, provider }));
      if (rows.length > 0) await tx.insert(fallbackBanks).values(rows);
      const fields = { before: { banks: before }, after: { banks: [...names] } };
      await noteInAudit(tx, ctx, { merchantId, action: "fallback_banks.set", subject: merchantId, ...fields });
    });
  },
);

/** More would keep a payer waiting where all are down. */
const MOST = 3;

function requireBanks(names: readonly string[], known: string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalid("banks", `${unknown} is no bank of this mode. Choose from ${known.join(", ")}.`);
  if (new Set(names).size < names.length) throw invalid("banks", "Name each bank once.");
  if (names.length > MOST) throw invalid("banks", `Name at most ${MOST} banks.`);
}
