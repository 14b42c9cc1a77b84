import { type Sql, sql } from "#db/client.ts";
import type { Area, Merchant } from "./context.ts";

export interface MerchantColumns {
  id: string;
  number: bigint;
  business_id: string;
  business_name: string;
  mode: Merchant["mode"];
  status: Merchant["status"];
  is_other_mode_suspended: boolean;
  requests_per_second: number;
  request_burst: number;
  areas: Area[];
  bank: string | null;
  issuer: string | null;
  aggregator: string | null;
}

/** The columns of a `Merchant`, for a query over `merchants m` and `businesses b`. */
export const merchantColumns = (reader: Sql = sql()) => reader`
  m.id, m.number, m.business_id, b.name as business_name, m.mode, m.status, m.requests_per_second, m.request_burst,
  exists (
    select from merchants o where o.business_id = m.business_id and o.id <> m.id and o.status = 'suspended'
  ) as is_other_mode_suspended,
  array(select a.area::text from merchant_areas a where a.merchant_id = m.id) as areas,
  (select p.provider from merchant_providers p where p.merchant_id = m.id and p.kind = 'bank') as bank,
  (select p.provider from merchant_providers p where p.merchant_id = m.id and p.kind = 'issuer') as issuer,
  (select p.provider from merchant_providers p where p.merchant_id = m.id and p.kind = 'aggregator') as aggregator`;

export const merchantFromColumns = (row: MerchantColumns): Merchant => ({
  id: row.id,
  number: Number(row.number),
  businessId: row.business_id,
  businessName: row.business_name,
  mode: row.mode,
  status: row.status,
  isOtherModeSuspended: row.is_other_mode_suspended,
  requestsPerSecond: row.requests_per_second,
  requestBurst: row.request_burst,
  areas: row.areas,
  bank: row.bank,
  issuer: row.issuer,
  aggregator: row.aggregator,
});
