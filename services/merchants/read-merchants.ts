import { asc, eq, ne, sql as orm } from "drizzle-orm";
import { db, type Sql, sql } from "#db/client.ts";
import { businesses, merchantAreas, merchants } from "#db/schema/tenants.ts";
import type { Area, Merchant, OperatorContext } from "../context.ts";
import { type MerchantColumns, merchantColumns, merchantFromColumns } from "../merchant-columns.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";

type MerchantName = Pick<Merchant, "id" | "mode" | "businessId">;

export async function findMerchant(_ctx: OperatorContext, id: string): Promise<MerchantName | undefined> {
  const [merchant] = await db()
    .select({ id: merchants.id, mode: merchants.mode, businessId: merchants.businessId })
    .from(merchants)
    .where(eq(merchants.id, id));
  return merchant;
}

export interface ListedMerchant {
  business: string;
  merchant: string;
  mode: Merchant["mode"];
  status: Merchant["status"];
  /** Whether an operator has opened live mode. Null in test mode, which is always open. */
  isUnlocked: boolean | null;
  areas: Area[];
}

const isUnlocked = orm<boolean | null>`case ${merchants.mode} when 'live' then ${merchants.liveUnlockedAt} is not null end`;

/** Returns the merchants of all businesses except the platform's own, oldest first. */
export async function listMerchants(_ctx: OperatorContext): Promise<ListedMerchant[]> {
  const areas = await db().select().from(merchantAreas);
  const rows = await db()
    .select({
      ...{ business: businesses.name, merchant: merchants.id, mode: merchants.mode, status: merchants.status },
      isUnlocked: isUnlocked.as("is_unlocked"),
    })
    .from(merchants)
    .innerJoin(businesses, eq(businesses.id, merchants.businessId))
    .where(ne(businesses.id, PLATFORM_BUSINESS))
    .orderBy(asc(merchants.id));
  return rows.map((row) => ({ ...row, areas: areas.filter(({ merchantId }) => merchantId === row.merchant).map(({ area }) => area) }));
}

/** Returns the merchants of these ids, in the order of the ids, for jobs that act for each. `reader`: the client of a transaction. */
export async function readMerchantsOf(ids: string[], reader: Sql = sql()): Promise<Merchant[]> {
  if (ids.length === 0) return [];
  const rows = await reader<MerchantColumns[]>`
    select ${merchantColumns(reader)} from merchants m join businesses b on b.id = m.business_id where m.id = any(${ids}) order by m.id`;
  return rows.map(merchantFromColumns);
}
