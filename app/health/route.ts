import { sql } from "#db/client.ts";

export const dynamic = "force-dynamic";

/** 200 when this process and its database answer. */
export async function GET(): Promise<Response> {
  await sql()`select 1`;
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
