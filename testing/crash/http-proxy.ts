import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import type { Around } from "./postgres-proxy.ts";

/** Stands between a process and what it calls. The label of a point is the last part of the path. Answers the port to call. */
export async function startHttpProxy({ role, process, failpoints }: Around, target: () => number): Promise<number> {
  const proxy = createServer(async (incoming, outgoing) => {
    const label = (incoming.url ?? "").split("/").at(-1) ?? "";
    const body = await buffer(incoming).catch(() => undefined);
    // Whoever asked has died.
    if (!body) return;
    if (failpoints.hit({ role, kind: "call", label }, "before", process())) {
      incoming.destroy();
      return;
    }
    const { url = "/", method = "GET", headers } = incoming;
    const forwarded = request({ host: "127.0.0.1", port: target(), path: url, method, headers }, async (reply) => {
      const answer = await buffer(reply).catch(() => undefined);
      if (!answer || failpoints.hit({ role, kind: "call", label }, "after", process())) incoming.destroy();
      else outgoing.writeHead(reply.statusCode ?? 502, reply.headers).end(answer);
    });
    forwarded.on("error", () => incoming.destroy());
    forwarded.end(body);
  });
  return listenOnLoopback(proxy);
}
