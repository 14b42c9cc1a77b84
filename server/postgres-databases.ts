import postgres from "postgres";

const SERVICE_ROLE = "oja_service";

/** Key of the advisory lock, so that only one of two processes that start at once creates the role. */
const ROLE_LOCK = 5_110_203;

/** Creates the service's role unless it exists. It is no superuser: it reads no files, runs no programs, creates no databases. Returns its URL. */
export async function ensureServiceRole(client: postgres.Sql, url: string, password: string): Promise<string> {
  await client.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${ROLE_LOCK})`;
    const [known] = await tx`select 1 from pg_roles where rolname = ${SERVICE_ROLE}`;
    // Safe to interpolate: we made the password of hexadecimal digits.
    if (!known) await tx.unsafe(`create role ${SERVICE_ROLE} login nosuperuser nocreatedb nocreaterole password '${password}'`);
  });
  const service = new URL(url);
  service.username = SERVICE_ROLE;
  service.password = password;
  return service.href;
}

/** Creates a database of the service's role unless it exists. Returns its URL for that role. */
export async function ensureDatabase({ url, serviceUrl }: { url: string; serviceUrl: string }, name: string): Promise<string> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [known] = await client<{ owner: string }[]>`
      select pg_get_userbyid(datdba) as owner from pg_database where datname = ${name}`;
    if (!known) await client`create database ${client(name)} owner ${client(SERVICE_ROLE)}`;
    else if (known.owner !== SERVICE_ROLE) await handOver(url, name);
  } finally {
    await client.end();
  }
  return urlOfDatabase(serviceUrl, name);
}

/** Returns the URL of another database on the same server. */
export function urlOfDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Makes the service's role the owner of a database that an older Oja created as superuser, and of everything in it. */
async function handOver(url: string, name: string): Promise<void> {
  const client = postgres(urlOfDatabase(url, name), { max: 1, onnotice: () => {} });
  try {
    await client.begin(async (tx) => {
      const rows = await tx<{ statement: string }[]>`
        with ours as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
        select format('alter schema %I owner to %I', nspname, ${SERVICE_ROLE}::text) as statement from ours where nspname <> 'public'
        union all select format('alter %s %I.%I owner to %I', case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end,
          o.nspname, c.relname, ${SERVICE_ROLE}::text) from pg_class c join ours o on o.oid = c.relnamespace
          where c.relkind in ('r', 'p', 'v') or (c.relkind = 'S' and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i')))
        union all select format('alter routine %s owner to %I', p.oid::regprocedure, ${SERVICE_ROLE}::text)
          from pg_proc p join ours o on o.oid = p.pronamespace
        union all select format('alter type %I.%I owner to %I', o.nspname, t.typname, ${SERVICE_ROLE}::text)
          from pg_type t join ours o on o.oid = t.typnamespace where t.typtype in ('e', 'd')`;
      for (const { statement } of rows) await tx.unsafe(statement);
      await tx`alter database ${tx(name)} owner to ${tx(SERVICE_ROLE)}`;
    });
  } finally {
    await client.end();
  }
}
