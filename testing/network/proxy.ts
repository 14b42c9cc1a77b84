import { connect, createServer, type Socket } from "node:net";
import { listenOnLoopback } from "../listen-on-loopback.ts";

/**
 * How a network treats bytes. `silent` swallows them and closes nothing; `lossy` does so on every other connection. A connection that has lost bytes
 * stays silent for ever, because no network delivers the later bytes of a stream without the earlier ones.
 */
export type Weather = "fair" | "silent" | "lossy";

/** A network between a client and a server, whose weather a test changes. */
export interface Network {
  port: number;
  weather: Weather;
  /** Ends all connections, as a restart of a router does. */
  cut: () => void;
}

/** Starts a proxy on the loopback address before the server at `target`, which may change. */
export async function startNetwork(target: () => { host: string; port: number }): Promise<Network> {
  const pairs = new Set<[Socket, Socket]>();
  let connections = 0;
  const server = createServer((client) => {
    const isUnlucky = connections++ % 2 === 0;
    let hasLostBytes = false;
    const { host, port } = target();
    const upstream = connect(port, host);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    const isLost = () => network.weather === "silent" || (network.weather === "lossy" && isUnlucky);
    for (const [from, to] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      from.setNoDelay(true);
      from.on("data", (chunk) => {
        hasLostBytes ||= isLost();
        if (!hasLostBytes) to.write(chunk);
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        // In silence the other side does not hear of the end either.
        if (hasLostBytes || isLost()) return;
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.unref();
  const network: Network = {
    port: await listenOnLoopback(server),
    weather: "fair",
    cut: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      pairs.clear();
    },
  };
  return network;
}
