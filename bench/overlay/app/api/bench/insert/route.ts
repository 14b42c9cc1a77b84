import { randomUUID } from "node:crypto";
import { sql } from "#db/client.ts";

/** One durable insert through the same pool, of a body of the same size. */
export async function POST(request: Request): Promise<Response> {
  const { amount, description } = await request.json();
  const [row] =
    await sql()`insert into bench_rows (id, amount, description) values (${randomUUID()}, ${amount}, ${description}) returning *`;
  return Response.json(row, { status: 201 });
}
