import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { type LeafChange, mapLeaves } from "../map-leaves.ts";

export interface Answer {
  status: number;
  body: object;
}

export interface ProviderRequest {
  method: string;
  url: URL;
  headers: IncomingMessage["headers"];
  /** The body, raw and as JSON. `{}` without one. */
  text: string;
  body: Record<string, unknown>;
}

/**
 * What goes wrong with the next answer to a request of `path`, or of one below it. The request is carried out, except when the provider is `busy`.
 * `word`: each text of a field `status` is one that nobody has heard of.
 */
export interface Fault {
  path: string;
  /** By default of any. */
  method?: "GET" | "POST";
  kind: "lost" | "hang" | "cut" | "html" | "error" | "empty" | "long" | "busy" | "word";
}

const UNHEARD_OF = "escheated";

/** An HTTP server that plays a provider and fails on request. */
export class FaultyServer {
  readonly server: Server;
  /** The requests that came: method and path. */
  readonly requests: string[] = [];
  /** Their bodies. */
  readonly bodies: Record<string, unknown>[] = [];
  /** Called before and after a request is carried out. Where it resolves to true, the connection is cut: its caller is dead. */
  interrupt: ((request: ProviderRequest, when: "before" | "after") => Promise<boolean>) | null = null;
  readonly #faults: Fault[] = [];
  readonly #changes: LeafChange[] = [];

  /** `isFirstStep`: whether the next request belongs to the same act. A change that finds nothing in this answer then waits for the next one. */
  constructor(answer: (request: ProviderRequest) => Answer, isFirstStep: (request: ProviderRequest) => boolean = () => false) {
    this.server = createServer(async (incoming, response) => {
      const request = await readRequest(incoming);
      this.requests.push(`${request.method} ${request.url.pathname}`);
      this.bodies.push(request.body);
      const fault = this.#takeFault(request);
      if (fault === "busy")
        return send(response, { status: 429, body: { status: false, message: "Too many requests", code: "rate_limited" } });
      if (await this.interrupt?.(request, "before")) return response.destroy();
      const result = answer(request);
      if (await this.interrupt?.(request, "after")) return response.destroy();
      const [change] = this.#changes;
      const sent = change ? changed(result, change) : result;
      if (!isFirstStep(request) || !isDeepStrictEqual(sent, result)) this.#changes.shift();
      if (fault) sendFaulty(response, fault, result);
      else send(response, sent);
    });
  }

  failNext(fault: Fault): void {
    this.#faults.push(fault);
  }

  changeNextAnswer(change: LeafChange): void {
    this.#changes.push(change);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  #takeFault({ method, url: { pathname } }: ProviderRequest): Fault["kind"] | undefined {
    const at = this.#faults.findIndex((fault) => isWithin(pathname, fault.path) && (fault.method ?? method) === method);
    return at < 0 ? undefined : this.#faults.splice(at, 1)[0]?.kind;
  }
}

/** `/` stands for every path. */
const isWithin = (path: string, whole: string): boolean => whole === "/" || path === whole || path.startsWith(`${whole}/`);

const changed = ({ status, body }: Answer, change: LeafChange): Answer => ({ status, body: mapLeaves(body, change) as object });

function sendFaulty(response: ServerResponse, kind: Exclude<Fault["kind"], "busy">, answer: Answer): void {
  const text = JSON.stringify(answer.body);
  switch (kind) {
    case "lost":
      response.destroy();
      break;
    case "hang":
      break;
    case "html":
      response.writeHead(502, { "content-type": "text/html" }).end("<html><h1>502 Bad Gateway</h1></html>");
      break;
    case "error":
      send(response, { status: 500, body: { status: false, message: "An error occurred" } });
      break;
    case "long":
      send(response, { ...answer, body: { ...answer.body, filling: "x".repeat(2 * 1024 * 1024) } });
      break;
    case "empty":
      response.writeHead(200, { "content-type": "application/json" }).end();
      break;
    case "cut":
      response.writeHead(200, { "content-type": "application/json", "content-length": String(text.length) });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      break;
    case "word":
      send(
        response,
        changed(answer, (value, name) => (name === "status" && typeof value === "string" ? UNHEARD_OF : value)),
      );
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readRequest(incoming: IncomingMessage): Promise<ProviderRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const url = new URL(incoming.url ?? "/", "http://provider");
  return { method: incoming.method ?? "", url, headers: incoming.headers, text, body: text ? JSON.parse(text) : {} };
}
