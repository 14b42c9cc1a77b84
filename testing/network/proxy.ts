import { connect, createServer, type Socket } from "node:net";
import { listenOnLoopback } from "../listen-on-loopback.ts";

/**
 * How a network treats bytes. `silent` swallows them and closes nothing; `lossy` does so on every other connection. A connection that has lost bytes
 * stays silent for ever, because no network delivers the later bytes of a stream without the earlier ones.
 */
export type NetworkState = "fair" | "silent" | "lossy";

/** A network between a client and a server, whose weather a test changes. */
export interface Network {
  port: number;
  weather: NetworkState;
  /** Loses all further bytes of the connections that are open now. `weather` applies to later connections. */
  loseOpen: () => void;
  /** Ends all connections, as a restart of a router does. */
  cut: () => void;
}

interface Pair {
  sockets: [Socket, Socket];
  hasLostBytes: boolean;
}

/** Starts a proxy on the loopback address before the server at `target`, which may change. `alter` may change what the server sends. */
export async function startNetwork(
  target: () => { host: string; port: number },
  alter = (chunk: Buffer): Buffer => chunk,
): Promise<Network> {
  const pairs = new Set<Pair>();
  let connections = 0;
  const server = createServer((client) => {
    const isUnlucky = connections++ % 2 === 0;
    const { host, port } = target();
    const upstream = connect(port, host);
    const pair: Pair = { sockets: [client, upstream], hasLostBytes: false };
    pairs.add(pair);
    const isLost = () => network.weather === "silent" || (network.weather === "lossy" && isUnlucky);
    for (const [from, to] of [pair.sockets, pair.sockets.toReversed()] as [Socket, Socket][]) {
      from.setNoDelay(true);
      from.on("data", (chunk) => {
        pair.hasLostBytes ||= isLost();
        if (!pair.hasLostBytes) to.write(from === upstream ? alter(chunk) : chunk);
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        // While the network is silent, the other side does not learn of the end either.
        if (pair.hasLostBytes || isLost()) return;
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.unref();
  const network: Network = {
    port: await listenOnLoopback(server),
    weather: "fair",
    loseOpen: () => {
      for (const pair of pairs) pair.hasLostBytes = true;
    },
    cut: () => {
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
      pairs.clear();
    },
  };
  return network;
}
