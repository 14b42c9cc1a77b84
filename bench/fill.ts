import { sql } from "#db/client.ts";

/** Inserts links until a merchant has `count`, with the directory row that creating them writes. */
export async function fillWithLinks(merchantId: string, count: number): Promise<void> {
  const query = sql();
  const [{ links } = { links: 0n }] = await query<
    { links: bigint }[]
  >`select count(*) as links from payment_links where merchant_id = ${merchantId}`;
  const missing = Math.max(0, count - Number(links));
  for (let done = 0; done < missing; done += 50_000) {
    const from = Number(links) + done;
    const to = from + Math.min(50_000, missing - done);
    await query`
      with fresh as (
        select 'pl_00' || lpad(n::text, 24, '0') as id, md5(n::text || random()::text) as reference, lpad((n + 5000000000)::text, 10, '0') as account
        from generate_series(${from}::bigint, ${to}::bigint - 1) n
      ), accounts as (
        insert into one_time_accounts (provider, account_reference, account_number, merchant_id, link_id) select 'bench', reference, account, ${merchantId}, id from fresh
      )
      insert into payment_links (merchant_id, id, reference, amount, provider, provider_reference, account_number, account_name, bank_name, checkout_url, made_by, created_at, expires_at)
      select ${merchantId}, id, reference, 500000, 'bench', reference, account, 'Bench', 'Bench Bank', 'https://bench.example', 'system:bench', now(), now() + interval '30 minutes' from fresh`;
  }
  await query`analyze payment_links`;
}
