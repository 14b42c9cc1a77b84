import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrate } from "#db/migrate.ts";
import { buildIfStale } from "../scripts/build.ts";
import { startLocalPostgres } from "../server/embedded-postgres.ts";
import { ensureDatabase } from "../server/postgres-databases.ts";
import { ROOT } from "../server/runtime.ts";

declare module "vitest" {
  interface ProvidedContext {
    maintenanceUrl: string;
    serviceUrl: string;
    template: string;
  }
}

/** These tests need no durability: a crash of the machine may lose their databases. */
const FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** Prepares a run: the production build for HTTP tests, one PostgreSQL, and one migrated template. Returns the teardown. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildIfStale();
  const server = await startLocalPostgres(join(ROOT, ".data", "test"), FAST);
  const template = `oja_template_${process.pid}`;
  const templateUrl = await ensureDatabase(server, template);
  await migrate(templateUrl);
  await allowCorruption(server.url, new URL(templateUrl).username);
  project.provide("maintenanceUrl", server.url);
  project.provide("serviceUrl", server.serviceUrl);
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

/** Lets tests of the invariants switch triggers off, which otherwise only a superuser may. */
async function allowCorruption(url: string, role: string): Promise<void> {
  const client = postgres(url, { max: 1 });
  await client`grant set on parameter session_replication_role to ${client(role)}`;
  await client.end();
}
