import { sql } from "#db/client.ts";

export const dynamic = "force-dynamic";

/** Reads one small row by its primary key, through the same pool as the product. */
export async function GET(request: Request): Promise<Response> {
  const id = new URL(request.url).searchParams.get("id");
  const [row] = await sql()`select * from bench_rows where id = ${id}`;
  return Response.json(row);
}
