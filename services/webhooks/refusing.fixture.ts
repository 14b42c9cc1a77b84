import { sql } from "#db/client.ts";

/** Makes PostgreSQL refuse, with a code, to store attempts at addresses that begin with `url`. Returns what ends this. */
export async function refuseAttemptsAt(url: string, code = "P0001"): Promise<() => Promise<unknown>> {
  await sql().unsafe(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused' using errcode = '${code}'; end $$;
    create trigger refuse before insert on webhook_attempts for each row when (new.url like '${url}%') execute function refuse()`);
  return () => sql().unsafe("drop trigger refuse on webhook_attempts; drop function refuse");
}
