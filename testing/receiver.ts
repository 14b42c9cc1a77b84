import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import { listenOnLoopback } from "./listen-on-loopback.ts";

export interface Received {
  /** The path after the receiver's URL. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The body, byte for byte. */
  body: string;
  atMs: number;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Returns the answer to a request; `hang` gives none. */
type Behaviour = (received: Received) => Reply | "hang" | Promise<Reply | "hang">;

export interface Receiver {
  url: string;
  received: Received[];
  /** Sets the answers to later requests. */
  behave: (behaviour: Behaviour) => void;
  close: () => Promise<void>;
}

/** Starts a merchant's server on this machine. It keeps each request, and answers 200 unless `behave` sets another answer. */
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

/** Returns a function that starts receivers. They are closed when the test file ends. */
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
