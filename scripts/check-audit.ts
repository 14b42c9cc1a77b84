import { open } from "node:fs/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type AuditHead, checkAudit, listAuditHeads } from "#services/audit/index.ts";
import { systemContext } from "#services/context.ts";
import { onDatabase } from "./on-database.ts";

/** A head of a chain, as `--heads` and the log of the worker write it. */
const Head = z.object({ business_id: z.string(), seq: z.int().positive(), hash: z.string().regex(/^[0-9a-f]{64}$/) });

// Checks the audit of DATABASE_URL (with the OJA_SECRET_KEY of its installation) or of the built-in database. Exits with 1 if it is not sound.
//   npm run check:audit                        prints what is wrong
//   npm run check:audit -- --against FILE      also checks that the audit still contains heads kept outside: lines of --heads or of the log
//   npm run --silent check:audit -- --heads    prints the heads, for keeping
/** The heads of `--against` that were compared. */
let compared = 0;
const { values } = parseArgs({ options: { against: { type: "string" }, heads: { type: "boolean" } } });
await onDatabase("The audit could not be checked:", () => (values.heads ? printHeads() : check(values.against)));

async function printHeads(): Promise<void> {
  for await (const { businessId, seq, hash } of listAuditHeads(systemContext("check-audit"))) {
    console.log(JSON.stringify({ business_id: businessId, seq, hash }));
  }
}

async function check(file: string | undefined): Promise<void> {
  const { entries, businesses, findings, found } = await checkAudit(systemContext("check-audit"), {
    against: file === undefined ? [] : headsIn(file),
  });
  for (const { businessId, seq, problem } of findings) console.error(`BROKEN: ${businessId}, entry ${seq}: ${problem}.`);
  const more = found > findings.length ? `, the first ${findings.length} above` : "";
  const beside = file === undefined ? "" : ` It contains the ${compared} heads of ${file}.`;
  if (found === 0) console.log(`The audit is sound: ${entries} entries of ${businesses} businesses.${beside}`);
  else console.error(`The audit is not sound. Findings: ${found}${more}.`);
  process.exitCode = found === 0 ? 0 : 1;
}

/** Yields the heads of a file, line by line. Skips lines without one. Throws an Error for a file without any head: it is a wrong file. */
async function* headsIn(file: string): AsyncGenerator<AuditHead> {
  const opened = await open(file);
  for await (const line of opened.readLines()) {
    const head = Head.safeParse(parsed(line));
    if (!head.success) continue;
    compared += 1;
    yield { businessId: head.data.business_id, seq: head.data.seq, hash: head.data.hash };
  }
  if (compared === 0) throw new Error(`There is no head of an audit chain in ${file}.`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
