import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Sql, TransactionSql } from "postgres";

const FOLDER = join(import.meta.dirname, "functions");

interface SqlFunction {
  name: string;
  text: string;
  hash: string;
}

/** Returns the SQL functions of db/functions: one a file, which has the function's name. */
export const sqlFunctions = (): SqlFunction[] =>
  globSync("*.sql", { cwd: FOLDER })
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(FOLDER, file), "utf8");
      return { name: basename(file, ".sql"), text, hash: createHash("sha256").update(text).digest("hex") };
    });

/**
 * Installs the functions of db/functions in one transaction. Replaces those whose file has changed, even if the signature has changed, and
 * drops those whose file is gone. Call it under the migration lock.
 */
export async function installFunctions(client: Sql, wanted = sqlFunctions()): Promise<void> {
  await client.begin(async (tx) => {
    await tx`create table if not exists sql_functions (name text primary key, hash text not null)`;
    // Bodies are not checked now, because a function may call another one that is created later.
    await tx`set local check_function_bodies = off`;
    const installed = await tx<{ name: string; hash: string }[]>`select name, hash from sql_functions`;
    const gone = installed.filter(({ name }) => !wanted.some((each) => each.name === name));
    const changed = wanted.filter(({ name, hash }) => !installed.some((each) => each.name === name && each.hash === hash));
    for (const { name } of [...gone, ...changed]) {
      await dropFunction(tx, name);
      await tx`delete from sql_functions where name = ${name}`;
    }
    for (const { name, text, hash } of changed) {
      await tx.unsafe(text);
      await tx`insert into sql_functions (name, hash) values (${name}, ${hash})`;
    }
  });
}

async function dropFunction(tx: TransactionSql, name: string): Promise<void> {
  const signatures = await tx<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc where proname = ${name} and pronamespace = current_schema()::regnamespace`;
  for (const { signature } of signatures) await tx.unsafe(`drop function ${signature}`);
}
