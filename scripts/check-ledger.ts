import { parseArgs } from "node:util";
import { z } from "zod";
import { connect, LONG_READ_WITHIN_S, type Sql } from "#db/client.ts";
import { findBrokenInvariants, type Scope } from "#db/invariants.ts";
import { readSetting } from "#lib/env.ts";
import { systemContext } from "#services/context.ts";
import { checkSeals, isSignedByUs, listWalletHeads } from "#services/seals/index.ts";
import { prepareEnvironment } from "../server/runtime.ts";
import { KeptHeads } from "./kept-heads.ts";

/** A head of a wallet, as `--heads` and the log of the worker write it. */
const Head = z
  .object({ merchant_id: z.string(), seq: z.string().regex(/^\d{1,18}$/), hash: z.string().regex(/^[0-9a-f]{64}$/) })
  .transform(({ merchant_id: merchantId, seq, hash }) => ({ merchantId, seq: BigInt(seq), hash }));

// Checks the ledger of DATABASE_URL (any Oja database) or of the built-in one: its invariants, and its wallets against their seals. Exits with 1
// if it is not sound. Signatures are checked where OJA_SECRET_KEY is set; no other setting is needed.
//   npm run check:ledger                        prints what is wrong
//   npm run check:ledger -- --against FILE      also checks that wallets still have the heads kept outside: lines of --heads or of the log
//   npm run --silent check:ledger -- --heads    prints the heads, for keeping
//   npm run check:ledger -- --merchant MERCHANT [--since 2026-11-01] [--until 2026-12-01]
//                                               checks the invariants of one merchant, and what was made in that time against its causes
const { values } = parseArgs({
  options: {
    against: { type: "string" },
    heads: { type: "boolean" },
    merchant: { type: "string" },
    since: { type: "string" },
    until: { type: "string" },
  },
});
const builtIn = await prepareEnvironment();
const { sql } = connect(readSetting("DATABASE_URL") ?? "", { max: 2, withinS: LONG_READ_WITHIN_S });
try {
  if (values.heads) await printHeads(sql);
  else {
    const scope = { merchantId: values.merchant, since: timeOf(values.since), until: timeOf(values.until) };
    const isSound = await checkInvariants(sql, scope);
    // With --merchant the seals are not checked, because that check covers all wallets in full.
    const isSealed = values.merchant !== undefined || (await checkAllSeals(sql, values.against));
    process.exitCode = isSound && isSealed ? 0 : 1;
  }
} catch (error) {
  console.error(`The ledger could not be read: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await sql.end();
  await builtIn?.stop();
}

async function printHeads(client: Sql): Promise<void> {
  for await (const { merchantId, seq, hash } of listWalletHeads(systemContext("check-ledger"), client))
    console.log(JSON.stringify({ merchant_id: merchantId, seq: String(seq), hash }));
}

/** Returns the beginning of a day in Lagos, or a time as ISO 8601 writes it. */
function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00+01:00` : text);
  if (Number.isNaN(time.getTime())) throw new Error(`${text} is no day or time. Write it like 2026-11-01.`);
  return time;
}

async function checkInvariants(client: Sql, scope: Scope): Promise<boolean> {
  const broken = await findBrokenInvariants(client, scope);
  for (const { name, rows } of broken) {
    console.error(`BROKEN: ${name} (${rows.length} rows)`);
    console.table(rows.slice(0, 20));
  }
  console.log(broken.length === 0 ? "The ledger is sound: every invariant holds." : `${broken.length} invariants are broken.`);
  return broken.length === 0;
}

async function checkAllSeals(client: Sql, file: string | undefined): Promise<boolean> {
  const kept = file === undefined ? undefined : new KeptHeads(file, Head);
  const isKeyKnown = readSetting("OJA_SECRET_KEY") !== undefined;
  const { seals, wallets, findings, found } = await checkSeals(client, {
    isSigned: isKeyKnown ? isSignedByUs : undefined,
    ...(kept && { against: kept }),
  });
  for (const { merchantId, seq, problem } of findings) console.error(`BROKEN: wallet of ${merchantId}, entry ${seq}: ${problem}.`);
  const more = found > findings.length ? `, the first ${findings.length} above` : "";
  const beside = kept ? ` They contain the ${kept.count} heads of ${file}.` : "";
  const unsigned = isKeyKnown ? "" : " Signatures were not checked: OJA_SECRET_KEY is not set.";
  if (found === 0) console.log(`The wallets are as they were sealed: ${seals} seals of ${wallets} wallets.${beside}${unsigned}`);
  else console.error(`The wallets are not as they were sealed. Findings: ${found}${more}.${unsigned}`);
  return found === 0;
}
