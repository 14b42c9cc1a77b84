import { createServer } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { settings } from "#lib/env.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { type LeafChange, mapLeaves } from "./map-leaves.ts";

export interface AnswerChanger {
  /** The URL of the sandbox through the changer. */
  url: string;
  /** Changes every leaf of the next answer. */
  changeNextAnswer: (change: LeafChange) => void;
  /** Loses the next answer: its request arrives and is executed. */
  loseNextAnswer: () => void;
}

const LOST = Symbol("lost");

/** Runs a proxy between an adapter and the sandbox during the tests of a file, to play a faulty provider. */
export function withAnswerChanger(): AnswerChanger {
  const changes: (LeafChange | typeof LOST)[] = [];
  const changer: AnswerChanger = {
    url: "",
    changeNextAnswer: (change) => void changes.push(change),
    loseNextAnswer: () => void changes.push(LOST),
  };
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
    if (change === LOST) return void response.destroy();
    response.writeHead(reply.status, { "content-type": "application/json" });
    response.end(change ? JSON.stringify(mapLeaves(JSON.parse(text), change)) : text);
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
