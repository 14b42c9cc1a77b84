import { randomUUID } from "node:crypto";
import { sql } from "#db/client.ts";

/** Inserts one row durably, through the same pool and with a body of the same size as the product's. */
export async function POST(request: Request): Promise<Response> {
  const { amount, description } = await request.json();
  const [row] =
    await sql()`insert into bench_rows (id, amount, description) values (${randomUUID()}, ${amount}, ${description}) returning *`;
  return Response.json(row, { status: 201 });
}
