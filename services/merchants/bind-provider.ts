import { sql } from "#db/client.ts";

/** Puts a provider behind a merchant from now on; what it has at another one stays there. A CHECK keeps the sandbox out of live mode. */
export async function bindProvider(merchantId: string, kind: "bank" | "issuer" | "aggregator", provider: string): Promise<void> {
  await sql()`
    insert into merchant_providers (merchant_id, kind, mode, provider)
    select id, ${kind}, mode, ${provider} from merchants where id = ${merchantId}
    on conflict (merchant_id, kind) do update set provider = excluded.provider`;
}
