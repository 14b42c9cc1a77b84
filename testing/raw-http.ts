import { connect, type Socket } from "node:net";
import { until } from "./until.ts";

interface RawOptions {
  /** This machine's address that the connection comes from. */
  from?: string;
}

/** Opens a connection as no HTTP library would, and keeps what comes back. */
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

  /** Ends the connection with a reset, as a client that has gone. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  async closed(withinMs = 30_000): Promise<string> {
    await until(async () => this.isClosed, withinMs);
    return this.received;
  }

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
