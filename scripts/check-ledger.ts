import { connect } from "#db/client.ts";
import { findBrokenInvariants } from "#db/invariants.ts";
import { prepareEnvironment } from "../server/runtime.ts";

// Checks the ledger of DATABASE_URL (any Oja database; no other setting is needed) or of the built-in one. Exits with 1 if an invariant is broken.
const builtIn = await prepareEnvironment();
const { sql } = connect(process.env.DATABASE_URL ?? "", { max: 1 });
try {
  const broken = await findBrokenInvariants(sql);
  for (const { name, rows } of broken) {
    console.error(`BROKEN: ${name} (${rows.length} rows)`);
    console.table(rows.slice(0, 20));
  }
  console.log(broken.length === 0 ? "The ledger is sound: every invariant holds." : `${broken.length} invariants are broken.`);
  process.exitCode = broken.length === 0 ? 0 : 1;
} catch (error) {
  console.error(`The ledger could not be read: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await sql.end();
  await builtIn?.stop();
}
