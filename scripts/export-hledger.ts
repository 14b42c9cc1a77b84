import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { parseArgs } from "node:util";
import { asc } from "drizzle-orm";
import { db } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";
import { systemContext } from "#services/context.ts";
import { hledgerJournal } from "#services/ledger/index.ts";
import { onDatabase } from "./on-database.ts";

// Writes the ledger of DATABASE_URL (or of the built-in database) as a journal for hledger, for one merchant or for all.
//   npm run export:hledger -- [MERCHANT] --out books.journal && hledger -f books.journal check
const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
await onDatabase("The books could not be exported:", async () => {
  const all = await db().select({ id: merchants.id }).from(merchants).orderBy(asc(merchants.id));
  const wanted = all.filter(({ id }) => positionals[0] === undefined || id === positionals[0]);
  if (wanted.length === 0) throw new Error(`There is no merchant ${positionals[0]}.`);
  const out = values.out ? createWriteStream(values.out) : process.stdout;
  for (const { id } of wanted) {
    for await (const transaction of hledgerJournal(systemContext("export"), id)) if (!out.write(transaction)) await once(out, "drain");
  }
  if (values.out) {
    out.end();
    await once(out, "finish");
  }
});
