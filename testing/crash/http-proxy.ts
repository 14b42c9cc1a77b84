import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import type { Around } from "./postgres-proxy.ts";

/** What is said over the wire, as it goes on. */
export interface Words {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Other parties that err: they change what is asked of us, or what they answer. */
export interface Liars {
  distortRequest: (label: string, words: Words) => Words;
  distortAnswer: (label: string, body: Buffer) => Buffer;
}

/** Stands between a process and what it calls. The label of a point is the last part of the path. Returns the port to call. */
export async function startHttpProxy({ role, process, failpoints }: Around, target: () => number, liars: Liars): Promise<number> {
  const proxy = createServer(async (incoming, outgoing) => {
    const label = (incoming.url ?? "").split("/").at(-1) ?? "";
    const point = { role, kind: "call", label } as const;
    const body = await buffer(incoming).catch(() => undefined);
    // Whoever asked has died.
    if (!body) return;
    if (failpoints.hit(point, "before", process())) {
      incoming.destroy();
      return;
    }
    // On the wire for so long: it arrives, also where the caller has given up.
    await wait(failpoints.delayAt(point, "before"));
    const { url = "/", method = "GET", headers } = incoming;
    const words = liars.distortRequest(label, { headers, body });
    const forwarded = request({ host: "127.0.0.1", port: target(), path: url, method, headers: words.headers }, async (reply) => {
      const answer = await buffer(reply).catch(() => undefined);
      await wait(failpoints.delayAt(point, "after"));
      if (!answer || failpoints.hit(point, "after", process())) incoming.destroy();
      else if (!outgoing.writableEnded) {
        const said = reply.statusCode === 200 ? liars.distortAnswer(label, answer) : answer;
        outgoing.writeHead(reply.statusCode ?? 502, { "content-type": "application/json", "content-length": said.length }).end(said);
      }
    });
    forwarded.on("error", () => incoming.destroy());
    forwarded.end(words.body);
  });
  return listenOnLoopback(proxy);
}
