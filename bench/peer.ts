import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { ACCOUNTS, type Scenario, twoOf } from "./scenario.ts";

export interface Peer {
  query: postgres.Sql;
  hot: [string, string];
  accounts: string[];
}

/** Puts a peer's SQL into a database of its own. `folder` has pgledger.sql and what it needs. */
export async function install(url: string, folder: string): Promise<Peer> {
  const query = postgres(url, { max: 16, onnotice: () => {} });
  const needed = ["vendor/scoville-pgsql-ulid/ulid-to-uuid.sql", "vendor/scoville-pgsql-ulid/uuid-to-ulid.sql", "pgledger.sql"];
  for (const file of needed) await query.unsafe(readFileSync(join(folder, file), "utf8"));
  const accounts = (
    await query<
      { id: string }[]
    >`select a.id from generate_series(1, ${ACCOUNTS + 2}) n cross join lateral pgledger_create_account(n::text, 'NGN') a`
  ).map(({ id }) => id);
  const [from = "", to = "", ...others] = accounts;
  return { query, hot: [from, to], accounts: others };
}

export function theirsOf({ query, hot: [from, to], accounts }: Peer, connections: number): Scenario[] {
  const one = (name: string, pair: () => [string, string]): Scenario => ({
    name,
    connections,
    transfers: 1,
    call: async () => {
      const [a, b] = pair();
      await query`select id from pgledger_create_transfer(${a}, ${b}, 1)`;
    },
  });
  const many = (size: number): Scenario => ({
    name: `post, batches of ${size}`,
    connections,
    transfers: size,
    call: () =>
      query`select id from pgledger_create_transfers(array(select (${from}, ${to}, 1)::transfer_request from generate_series(1, ${size})))`,
  });
  return [
    one("post, hot pair", () => [from, to]),
    one("post, 1,000 accounts", () => {
      const [a, b] = twoOf();
      return [accounts[a] ?? "", accounts[b] ?? ""];
    }),
    many(32),
    many(256),
  ];
}
