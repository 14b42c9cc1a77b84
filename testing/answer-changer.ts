import { createServer } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { settings } from "#lib/env.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** Changes one text, number, truth value or null of an answer; whatever it returns goes out. */
export type Change = (value: unknown) => unknown;

export interface AnswerChanger {
  /** Where the sandbox answers through it. */
  url: string;
  /** Changes the next answer, everywhere in it. */
  changeNextAnswer: (change: Change) => void;
}

const deeply = (value: unknown, change: Change): unknown => {
  if (Array.isArray(value)) return value.map((part) => deeply(part, change));
  if (typeof value !== "object" || value === null) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, deeply(part, change)]));
};

/** Stands between an adapter and the sandbox while the tests of a file run, as a provider that errs. */
export function withAnswerChanger(): AnswerChanger {
  const changes: Change[] = [];
  const changer: AnswerChanger = { url: "", changeNextAnswer: (change) => void changes.push(change) };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const reply = await fetch(`${settings().SANDBOX_URL}${request.url}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-sandbox-signature": String(request.headers["x-sandbox-signature"]) },
      body: Buffer.concat(chunks),
    });
    const text = await reply.text();
    const change = changes.shift();
    response.writeHead(reply.status, { "content-type": "application/json" });
    response.end(change ? JSON.stringify(deeply(JSON.parse(text), change)) : text);
  });
  beforeAll(async () => {
    changer.url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return changer;
}
