import { sql } from "#db/client.ts";

/** Makes PostgreSQL refuse, with a code, to store attempts at addresses that begin with `url`, and count that. Returns what ends this. */
export async function refuseAttemptsAt(url: string, code = "P0001"): Promise<() => Promise<unknown>> {
  await sql().unsafe(`create sequence refusals;
    create function refuse() returns trigger language plpgsql as $$ begin perform nextval('refusals'); raise exception 'refused' using errcode = '${code}'; end $$;
    create trigger refuse before insert on webhook_attempts for each row when (new.url like '${url}%') execute function refuse()`);
  return () => sql().unsafe("drop trigger refuse on webhook_attempts; drop function refuse; drop sequence refusals");
}

/** Returns how many attempts were refused. A sequence counts them, because it keeps its value where its transaction is rolled back. */
export async function countRefusals(): Promise<number> {
  const [row] = await sql()<{ count: number }[]>`select case when is_called then last_value else 0 end::int as count from refusals`;
  return row?.count ?? 0;
}
