import { once } from "node:events";
import { connect, isIP, type NetConnectOpts, type Socket } from "node:net";
import { connect as secure, type TLSSocket } from "node:tls";

export interface Tls {
  /** As `sslmode` of the URL or `ssl` of postgres.js says. */
  ssl: string | boolean | object;
  /** Begins with TLS in place of asking for it (`sslnegotiation=direct`). */
  isDirect: boolean;
}

/** No connection was made in time. */
export class ConnectTimeout extends Error {
  override name = "ConnectTimeout";
  readonly code = "CONNECT_TIMEOUT";
}

/** The server, or a proxy before it, closed the connection before it could be used. */
export class ConnectClosed extends Error {
  override name = "ConnectClosed";
  readonly code = "CONNECT_CLOSED";
}

/** The server speaks no TLS, or another party answers in its place. */
export class NoTls extends Error {
  override name = "NoTls";
  readonly code = "CONNECT_NO_TLS";
}

/** SSLRequest: its length, and the number that stands for it. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const [YES, NO] = ["S", "N"];

/** Returns a socket that is connected to a server of PostgreSQL, over TLS if it is asked for. Throws ConnectTimeout after `withinMs`. */
export async function connectSocket(to: NetConnectOpts, tls: Tls, withinMs: number): Promise<Socket> {
  const signal = AbortSignal.timeout(withinMs);
  const plain = connect(to);
  try {
    await eventOf(plain, "connect", signal);
    return tls.ssl ? await secured(plain, tls, { host: "host" in to ? to.host : undefined, signal }) : plain;
  } catch (error) {
    plain.destroy();
    throw signal.aborted ? new ConnectTimeout(`the database accepted no connection within ${withinMs / 1_000} s`) : error;
  }
}

/** Returns the first argument of the next event of a name. Throws if the socket fails or closes before it, or when the time is over. */
async function eventOf(socket: Socket, name: "connect" | "data" | "secureConnect", time: AbortSignal): Promise<unknown> {
  const closing = new AbortController();
  const close = () => closing.abort();
  socket.once("close", close);
  try {
    const [first] = await once(socket, name, { signal: AbortSignal.any([time, closing.signal]) });
    return first;
  } catch (error) {
    const isClosed = closing.signal.aborted && (error as Error).name === "AbortError";
    throw isClosed ? new ConnectClosed("the database closed the connection while it was opened") : error;
  } finally {
    socket.removeListener("close", close);
  }
}

async function secured(plain: Socket, { ssl, isDirect }: Tls, { host = "", signal }: { host: string | undefined; signal: AbortSignal }) {
  if (!isDirect) {
    plain.write(SSL_REQUEST);
    const answer = await eventOf(plain, "data", signal);
    if (String(answer) === NO && ssl === "prefer") return plain;
    // More than the one letter comes from another party: the server says nothing else before TLS protects the connection.
    if (String(answer) !== YES) throw new NoTls("the database server does not speak TLS");
  }
  const socket: TLSSocket = secure({
    ...{ socket: plain, ...(isIP(host) ? { host } : { servername: host }), ...(isDirect && { ALPNProtocols: ["postgresql"] }) },
    ...(typeof ssl === "object" ? ssl : { rejectUnauthorized: !["require", "allow", "prefer"].includes(String(ssl)) }),
  });
  socket.once("close", () => plain.destroy());
  try {
    await eventOf(socket, "secureConnect", signal);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}
