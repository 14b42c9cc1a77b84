import { statSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, expect, inject, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { ensureDatabase, urlOfDatabase } from "./postgres-databases.ts";
import { ROOT } from "./runtime.ts";

withDatabase();
const server = { url: inject("maintenanceUrl"), serviceUrl: inject("serviceUrl") };
const superuser = postgres(server.url, { max: 1, onnotice: () => {} });
afterAll(() => superuser.end());

test("the role of the service in the built-in database is no superuser, and creates no roles or databases", async () => {
  const [role] =
    await sql()`select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user`;
  expect(role).toEqual({ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false });
  for (const statement of ["copy (select 1) to program 'true'", "select pg_read_file('/etc/hostname')", "create role another"]) {
    await expect(sql().unsafe(statement), statement).rejects.toMatchObject({ code: "42501" });
  }
});

test("only its owner may read the log of PostgreSQL, which contains failed statements", () => {
  expect(statSync(join(ROOT, ".data/test/postgres.log")).mode & 0o777).toBe(0o600);
});

test("a database that a superuser created is handed to the role of the service, with its tables, types and functions", async () => {
  const name = `oja_test_${process.pid}_old`;
  await superuser`create database ${superuser(name)}`;
  const old = postgres(urlOfDatabase(server.url, name), { max: 1, onnotice: () => {} });
  await old.unsafe(`create schema sandbox; create type sandbox.mood as enum ('good'); create table sandbox.people (id bigint generated always as identity, mood sandbox.mood);
    create table public.things (id serial primary key); create sequence public.numbers; create view public.all_things as select * from public.things;
    create function public.one() returns int language sql as 'select 1'; insert into public.things default values;`);
  await old.end();
  const url = await ensureDatabase(server, name);
  expect(await ensureDatabase(server, name)).toBe(url);
  const service = postgres(url, { max: 1, onnotice: () => {} });
  await service.unsafe(`alter table public.things add column name text; alter type sandbox.mood add value 'bad'; drop function public.one();
    alter table sandbox.people add column name text; drop view public.all_things; alter sequence public.numbers restart; create table sandbox.more (id int);`);
  expect(await service`select id from public.things`).toHaveLength(1);
  await service.end();
  await superuser`drop database ${superuser(name)} with (force)`;
});
