import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of a merchant that gets webhooks. */
export interface Receiver {
  url: string;
  /** The status of its answers from now on. */
  status: number;
  /** The received bodies, in order. */
  readonly bodies: string[];
  close(): Promise<void>;
}

/** Starts a receiver on this machine. */
export async function aReceiver(status = 200): Promise<Receiver> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      bodies.push(Buffer.concat(parts).toString());
      response.writeHead(receiver.status).end("heard");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/oja`,
    ...{ status, bodies },
    close: () => new Promise((done) => server.close(() => done())),
  };
  return receiver;
}
