import { connect, type Socket } from "node:net";
import { until } from "./until.ts";

interface RawOptions {
  /** The address of this machine from which to connect. */
  from?: string;
}

/** A connection that sends any text, which no HTTP library would, and keeps all that it receives. */
export class RawConnection {
  readonly socket: Socket;
  received = "";
  isClosed = false;

  constructor(url: string, { from }: RawOptions = {}) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ host: hostname, port: Number(port), ...(from && { localAddress: from }) });
    this.socket.on("data", (chunk) => {
      this.received += chunk.toString("latin1");
    });
    this.socket.on("error", () => undefined);
    this.socket.on("close", () => {
      this.isClosed = true;
    });
  }

  send(text: string): this {
    this.socket.write(text);
    return this;
  }

  /** Ends the connection with a reset, as a client does that crashes. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Waits until the connection is closed. Returns all that it received. */
  async closed(withinMs = 30_000): Promise<string> {
    await until(async () => this.isClosed, withinMs);
    return this.received;
  }

  /** Waits until the received text matches. Returns all that was received. */
  async answered(pattern: RegExp, withinMs = 30_000): Promise<string> {
    await until(async () => pattern.test(this.received), withinMs);
    return this.received;
  }
}

/** Sends lines as one request. Returns the whole answer, or all that came until the end of the connection. */
export async function rawRequest(url: string, lines: string[], options?: RawOptions): Promise<string> {
  const connection = new RawConnection(url, options).send(`${lines.join("\r\n")}\r\n\r\n`);
  const isWhole = () => {
    const [head = "", ...rest] = connection.received.split("\r\n\r\n");
    if (/transfer-encoding: chunked/i.test(head)) return connection.received.endsWith("\r\n0\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    return rest.join("\r\n\r\n").length >= length;
  };
  await until(async () => connection.isClosed || isWhole(), 30_000);
  connection.socket.destroy();
  return connection.received;
}
