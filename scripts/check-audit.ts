import { parseArgs } from "node:util";
import { z } from "zod";
import { checkAudit, listAuditHeads } from "#services/audit/index.ts";
import { systemContext } from "#services/context.ts";
import { KeptHeads } from "./kept-heads.ts";
import { onDatabase } from "./on-database.ts";

/** A head of a chain, as `--heads` and the log of the worker write it. */
const Head = z
  .object({ business_id: z.string(), seq: z.int().positive(), hash: z.string().regex(/^[0-9a-f]{64}$/) })
  .transform(({ business_id: businessId, seq, hash }) => ({ businessId, seq, hash }));

// Checks the audit of DATABASE_URL (with the OJA_SECRET_KEY of its installation) or of the built-in database. Exits with 1 if it is not sound.
//   npm run check:audit                        prints what is wrong
//   npm run check:audit -- --against FILE      also checks that the audit still contains heads kept outside: lines of --heads or of the log
//   npm run --silent check:audit -- --heads    prints the heads, for keeping
const { values } = parseArgs({ options: { against: { type: "string" }, heads: { type: "boolean" } } });
await onDatabase("The audit could not be checked:", () => (values.heads ? printHeads() : check(values.against)));

async function printHeads(): Promise<void> {
  for await (const { businessId, seq, hash } of listAuditHeads(systemContext("check-audit"))) {
    console.log(JSON.stringify({ business_id: businessId, seq, hash }));
  }
}

async function check(file: string | undefined): Promise<void> {
  const kept = file === undefined ? undefined : new KeptHeads(file, Head);
  const { entries, businesses, findings, found } = await checkAudit(systemContext("check-audit"), kept && { against: kept });
  for (const { businessId, seq, problem } of findings) console.error(`BROKEN: ${businessId}, entry ${seq}: ${problem}.`);
  const more = found > findings.length ? `, the first ${findings.length} above` : "";
  const beside = kept ? ` It contains the ${kept.count} heads of ${file}.` : "";
  if (found === 0) console.log(`The audit is sound: ${entries} entries of ${businesses} businesses.${beside}`);
  else console.error(`The audit is not sound. Findings: ${found}${more}.`);
  process.exitCode = found === 0 ? 0 : 1;
}
