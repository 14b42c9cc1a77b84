import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import type { Around } from "./postgres-proxy.ts";

/** A request as the proxy forwards it. */
export interface ProxiedRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Plays faulty providers: changes their requests to us and their answers. */
export interface FaultyProviders {
  distortRequest: (label: string, original: ProxiedRequest) => ProxiedRequest;
  distortAnswer: (label: string, body: Buffer) => Buffer;
}

/** Starts a proxy between a process and the providers that it calls. A point's label is the last part of the path. Returns the port. */
export async function startHttpProxy({ role, process, failpoints }: Around, target: () => number, liars: FaultyProviders): Promise<number> {
  const proxy = createServer(async (incoming, outgoing) => {
    const label = (incoming.url ?? "").split("/").at(-1) ?? "";
    const point = { role, kind: "call", label } as const;
    const body = await buffer(incoming).catch(() => undefined);
    // The calling process has died.
    if (!body) return;
    if (failpoints.hit(point, "before", process())) {
      incoming.destroy();
      return;
    }
    // A delayed request still arrives, even after its caller has stopped waiting.
    await wait(failpoints.delayAt(point, "before"));
    const { url = "/", method = "GET", headers } = incoming;
    const distorted = liars.distortRequest(label, { headers, body });
    const forwarded = request({ host: "127.0.0.1", port: target(), path: url, method, headers: distorted.headers }, async (reply) => {
      const answer = await buffer(reply).catch(() => undefined);
      await wait(failpoints.delayAt(point, "after"));
      if (!answer || failpoints.hit(point, "after", process())) incoming.destroy();
      else if (!outgoing.writableEnded) {
        const sent = reply.statusCode === 200 ? liars.distortAnswer(label, answer) : answer;
        outgoing.writeHead(reply.statusCode ?? 502, { "content-type": "application/json", "content-length": sent.length }).end(sent);
      }
    });
    forwarded.on("error", () => incoming.destroy());
    forwarded.end(distorted.body);
  });
  return listenOnLoopback(proxy);
}
