import { closeDatabase, sql } from "#db/client.ts";
import { brokenInvariants } from "#db/invariants.ts";
import { prepareEnvironment } from "./runtime.ts";

// Checks the ledger of DATABASE_URL, or of the built-in database. Exits 1 when something is broken.
const builtIn = await prepareEnvironment();
try {
  const broken = await brokenInvariants(sql());
  for (const { name, rows } of broken) {
    console.error(`BROKEN: ${name} (${rows.length} rows)`);
    console.table(rows.slice(0, 20));
  }
  console.log(broken.length === 0 ? "The ledger is sound: every invariant holds." : `${broken.length} invariants are broken.`);
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await closeDatabase();
  if (builtIn && !builtIn.adopted) await builtIn.stop();
}
