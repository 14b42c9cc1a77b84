import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrate } from "#db/migrate.ts";
import { buildIfStale } from "../server/build.ts";
import { ensureDatabase, startLocalPostgres } from "../server/embedded-postgres.ts";
import { ROOT } from "../server/runtime.ts";

declare module "vitest" {
  interface ProvidedContext {
    maintenanceUrl: string;
    template: string;
  }
}

/** Durability is not what these tests are about; a crash of the machine may lose their databases. */
const FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** One PostgreSQL and one migrated template for the whole run, and the production build that HTTP tests are made against. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildIfStale();
  const server = await startLocalPostgres(join(ROOT, ".data", "test"), FAST);
  const template = `oja_template_${process.pid}`;
  await migrate(await ensureDatabase(server.url, template));
  project.provide("maintenanceUrl", server.url);
  project.provide("template", template);
  return async () => {
    const client = postgres(server.url, { max: 1, onnotice: () => {} });
    const rows = await client<
      { datname: string }[]
    >`select datname from pg_database where datname like ${`oja_test_${process.pid}_%`} or datname = ${template}`;
    for (const { datname } of rows) await client`drop database if exists ${client(datname)} with (force)`;
    await client.end();
    await server.stop();
  };
}
