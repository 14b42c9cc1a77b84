import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../server/runtime.ts";
import { brokenBy, sqlIn } from "./sql-rules.ts";

/** The services whose statements run for requests, notices and deliveries, and for the sweeps that follow them. */
const HOT = "services/{alerts,bulk,cards,checkout,events,figures,idempotency,ledger,member-mails,requests,seals,vtu,webhooks}/**/*.ts";
const files = globSync([HOT, "services/*.ts", "db/functions/*.sql"], { cwd: ROOT }).filter((file) => !/\.(?:test|fixture)\.ts$/.test(file));

const textsOf = (file: string) => {
  const source = readFileSync(join(ROOT, file), "utf8");
  return file.endsWith(".sql") ? [{ text: source, line: 1, within: undefined }] : sqlIn(file, source);
};

const broken = files.flatMap((file) => textsOf(file).flatMap((sql) => brokenBy(sql).map((name) => `${file}:${sql.line}: ${name}`)));
for (const line of broken) console.error(line);
if (files.length === 0) throw new Error("There is no statement to check.");
if (broken.length > 0) process.exit(1);
console.log(`The statements of ${files.length} files can run on a distributed database.`);
