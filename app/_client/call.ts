import type { z } from "zod";
import type { MerchantRoute } from "#app/_http/merchant-route.ts";
import type { ErrorCode, Execution, FieldProblem } from "#lib/problem.ts";

type Schemas<Route extends MerchantRoute> = NonNullable<Route["schemas"]>;
type AnswerSchemas<Route extends MerchantRoute> = Schemas<Route>["returns"];

/** What a page sends to an endpoint. */
interface Sent<Route extends MerchantRoute> {
  /** Fills `{id}` and the like in the path. */
  params?: z.input<Schemas<Route>["params"]>;
  query?: z.input<Schemas<Route>["query"]>;
  body?: z.input<Schemas<Route>["body"]>;
  /** The same for every try of one click, so that a retry does not repeat it. */
  idempotencyKey?: string;
}

/** The body of an endpoint's successful answer. */
export type AnswerOf<Route extends MerchantRoute> = z.output<AnswerSchemas<Route>[keyof AnswerSchemas<Route>]>;

/** A refusal of the API, with its code, its message for people, and whether anything was executed. */
export class Refused extends Error {
  override name = "Refused";
  readonly code: ErrorCode;
  readonly outcome: Execution;
  readonly errors: FieldProblem[];
  readonly requestId: string;

  constructor(error: { code: ErrorCode; message: string; outcome: Execution; errors?: FieldProblem[]; request_id: string }) {
    super(error.message);
    this.code = error.code;
    this.outcome = error.outcome;
    this.errors = error.errors ?? [];
    this.requestId = error.request_id;
  }
}

/** The merchant that a page is about. `origin` and `headers` are for tests; in a browser they are the page's own. */
export interface Caller {
  merchantId: string;
  origin?: string;
  headers?: Record<string, string>;
}

/**
 * Calls an endpoint with the page's session. Its type names the route, by a type import that brings no code into the page:
 * `call<typeof import("#app/api/v1/wallet/route.ts").GET>(caller, "GET", "/api/v1/wallet")`. Throws `Refused`, or the error of `fetch`
 * without an answer.
 */
export async function call<Route extends MerchantRoute>(
  { merchantId, origin = "", headers = {} }: Caller,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  { params, query, body, idempotencyKey }: Sent<Route> = {},
): Promise<AnswerOf<Route>> {
  const response = await fetch(`${origin}${fill(path, params)}${queryText(query)}`, {
    method,
    headers: {
      "Oja-Merchant": merchantId,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.error);
  return answer;
}

const fill = (path: string, params: unknown): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(Reflect.get(Object(params), name))));

function queryText(query: unknown): string {
  const given = Object.entries(Object(query)).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
