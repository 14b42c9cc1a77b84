import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import { listenOnLoopback } from "./listen-on-loopback.ts";

export interface Received {
  /** After the receiver's own address. */
  path: string;
  headers: IncomingHttpHeaders;
  /** As it came, to the byte. */
  body: string;
  atMs: number;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** What it answers a request with: `hang` never does. */
type Behaviour = (received: Received) => Reply | "hang" | Promise<Reply | "hang">;

export interface Receiver {
  url: string;
  received: Received[];
  /** From now on. */
  behave: (behaviour: Behaviour) => void;
  close: () => Promise<void>;
}

/** A merchant's server on this machine: keeps what it receives, and answers 200 unless it is told to behave otherwise. */
export async function aReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let behaviour: Behaviour = () => ({ status: 200 });
  const server: Server = createServer(async (request, response) => {
    const one = { path: request.url ?? "", headers: request.headers, body: await text(request), atMs: performance.now() };
    received.push(one);
    const reply = await behaviour(one);
    if (reply !== "hang") response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  const port = await listenOnLoopback(server);
  const close = async () => {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    behave: (next) => {
      behaviour = next;
    },
    close,
  };
}

/** Receivers that are closed when this test file ends. */
export function withReceivers(): () => Promise<Receiver> {
  const open: Receiver[] = [];
  afterAll(async () => {
    await Promise.all(open.map((receiver) => receiver.close()));
  });
  return async () => {
    const receiver = await aReceiver();
    open.push(receiver);
    return receiver;
  };
}
