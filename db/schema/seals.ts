import { sql } from "drizzle-orm";
import { bigint, check, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, moment } from "./columns.ts";

/**
 * The heads of a wallet's sealed history: each covers all entries up to its number. Append-only. A table of its own, because entries never
 * change.
 */
export const walletSeals = pgTable(
  "wallet_seals",
  {
    merchantId: id(),
    /** The number of the last entry that it covers. */
    seq: bigint({ mode: "bigint" }).notNull(),
    /** The number of covered entries that moved the balance. Only those are shown in the wallet's history. */
    count: bigint({ mode: "bigint" }).notNull(),
    /** The end of the chain of hashes over these, in hexadecimal. */
    hash: text().notNull(),
    /** The id of the key of the signature. */
    keyId: text().notNull(),
    /** Ed25519, in base64. */
    signature: text().notNull(),
    sealedAt: moment().notNull(),
  },
  (t) => [
    primaryKey({ name: "wallet_seals_pkey", columns: [t.merchantId, t.seq] }),
    check("wallet_seals_count", sql`${t.seq} > 0 and ${t.count} between 0 and ${t.seq}`),
    check("wallet_seals_hash", sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
  ],
);
