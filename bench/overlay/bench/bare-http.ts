import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";

// The bare routes on `node:http` and PostgreSQL alone: no checks of the product's border, no router and no web `Request`.
createServer((request, response) => void answer(request, response)).listen(settings().PORT);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = "", query] = (request.url ?? "").split("?");
  const body = JSON.stringify(await ANSWERS[path]?.(request, new URLSearchParams(query)));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }).end(body);
}

const ANSWERS: Record<string, (request: IncomingMessage, query: URLSearchParams) => Promise<unknown>> = {
  "/health": async () => ({ ok: true }),
  "/api/bench/bare": async () => ({ ok: true }),
  "/api/bench/read": async (_, query) => (await sql()`select * from bench_rows where id = ${query.get("id")}`)[0],
  "/api/bench/insert": async (request) => {
    const { amount, description } = JSON.parse(await text(request));
    const rows =
      await sql()`insert into bench_rows (id, amount, description) values (${randomUUID()}, ${amount}, ${description}) returning *`;
    return rows[0];
  },
};
