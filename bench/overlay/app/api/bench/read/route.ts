import { sql } from "#db/client.ts";

export const dynamic = "force-dynamic";

/** One indexed read through the same pool: a row of the link's size, by its primary key. */
export async function GET(request: Request): Promise<Response> {
  const id = new URL(request.url).searchParams.get("id");
  const [row] = await sql()`select * from bench_rows where id = ${id}`;
  return Response.json(row);
}
