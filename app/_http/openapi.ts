import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject, type ZodOpenApiResponsesObject } from "zod-openapi";
import { ERROR_STATUS, type ErrorCode } from "#lib/problem.ts";
import { WebhookBody } from "#services/events/index.ts";
import type { MerchantRoute } from "./merchant-route.ts";

/** One merchant endpoint: its method, its path and its route. */
export interface Endpoint {
  method: "get" | "post" | "patch" | "delete";
  path: string;
  route: MerchantRoute;
}

const FieldProblem = z.object({ param: z.string(), message: z.string() });

const ErrorAnswer = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string().meta({ description: "What to do." }),
      param: z.string().optional().meta({ description: "The bad field, where there is one." }),
      errors: z.array(FieldProblem).optional().meta({ description: "Every bad field." }),
      request_id: z.string(),
      doc_url: z.url(),
      outcome: z.enum(["not_executed", "unknown", "executed"]).meta({
        description: "not_executed is safe to send again; unknown: ask for the status before anything else.",
      }),
    }),
  })
  .meta({ id: "Error" });

/** Error codes that every endpoint can answer with. */
const ALWAYS: ErrorCode[] = [
  "MISSING_CREDENTIALS",
  "INVALID_CREDENTIALS",
  "KEY_REVOKED",
  "PERMISSION_DENIED",
  "IP_NOT_ALLOWED",
  "RATE_LIMITED",
  "VALIDATION_ERROR",
  "PAYLOAD_TOO_LARGE",
  "INTERNAL_ERROR",
];
const WITH_A_BODY: ErrorCode[] = ["MALFORMED_JSON", "UNSUPPORTED_MEDIA_TYPE"];
/** Codes of endpoints that change something. */
const WITH_A_CHANGE: ErrorCode[] = ["MERCHANT_SUSPENDED"];
const WITH_AN_IDEMPOTENCY_KEY: ErrorCode[] = ["REQUEST_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"];

const requestIdHeader = { "Request-Id": { schema: { type: "string" as const }, description: "Quote it to support." } };

const IdempotencyKey = z.object({
  "Idempotency-Key": z.string().min(1).max(255).optional().meta({
    description:
      "1 to 255 visible characters; kept 30 days. A key belongs to one method and path. The same request again presents what the first one made, with `Idempotent-Replayed: true`; an answer with outcome `not_executed` gives the key back.",
  }),
});

/** Returns the OpenAPI 3.1 document of the endpoints, made from their declarations alone. */
export function openApiDocument(endpoints: Endpoint[], baseUrl: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const { method, path, route } of endpoints) {
    paths[path] = { ...paths[path], [method]: operationOf(method, path, route) };
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Oja",
      version: "1.0.0",
      description:
        "Merchant payments for Nigeria. In the body of a POST an optional field that is `null`, or text that shows nothing, counts as absent, and so does `metadata: []`; an Idempotency-Key compares what is left. In a PATCH `null` clears a field whose schema has null, and any other field refuses it. Required fields refuse both.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    security: [{ publicKey: [], secretKey: [] }],
    tags: [
      { name: "Checkout", description: "One-time payment links." },
      {
        name: "Virtual cards",
        description:
          "Cards in US dollars, funded from the wallet. `POST …/cardholders`, wait for APPROVED, issue, fund. An answer of 202 means that the issuer has not decided: nothing is lost or done twice. Read `…/operations/{id}` until it is decided; events tell of what was done, and none tells of an operation that failed.",
      },
      {
        name: "VTU",
        description:
          "Airtime, data, cable, electricity and exam pins, paid from the wallet. A purchase answers 200 when it is final, also when it has failed and its money is back, and 202 while the provider has not decided: ask `transaction/status`, or wait for `vtu.success` or `vtu.failed`, and never buy it again. (A replay by Idempotency-Key answers with the first status: look at `data.status`.) Providers may take a success back later: `vtu.reversed`, and the money is in the wallet. Events have no tokens or pins; `has_token` says that there are some, to be read by `reference`. Ids of products are those of the provider that stands behind your account. In test mode the recipient decides: one that ends in 0000 fails, 1111 is processing and then succeeds, 2222 is processing and then fails, 3333 is delivered without an answer, 4444 is neither answered nor delivered, 5555 succeeds and is reversed. 1111 and 2222 take 3 seconds, 5555 five; 3333 and 4444 keep you waiting for 5 and are decided after about 30. Nobody has a meter or smart card that ends in 0000, so that cannot be verified. Of exam pins the quantity does: 13 fails, 11 and 12 are processing and then succeed or fail, 17 delivers all but one.",
      },
      { name: "Wallet", description: "What the merchant has, and how it came there." },
      {
        name: "Payouts",
        description:
          "Money from the wallet to your own bank accounts, which owners and admins add in the dashboard. A payout that is not decided stays `processing` and is never paid again; a failure or a reversal gives amount and fee back once. Money of payment links may have to wait before it can be paid out, because banks take payments back: `quote` says how much can be paid out now. In test mode the account's number decides: one that ends in 0000 fails, 1111 is processing and then paid, 2222 is processing and then fails, 5555 is paid and comes back. 1111 and 2222 take 3 seconds, 5555 five. No account has a number that ends in 4040.",
      },
      { name: "Events", description: "The feed of everything that happened, without gaps." },
      {
        name: "Webhooks",
        description:
          "Events, sent to addresses of yours by Standard Webhooks 1.0: verify `webhook-signature` over the raw body with the endpoint's secret, take each `webhook-id` once (it may come again), answer 2xx within 15 seconds. Anything else is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, or when `Retry-After` says. First attempts start in the order of `sequence`; answers and retries overlap, so neighbours may arrive swapped. 410, or five days of failures, disable the endpoint and raise an alert. At most 20 endpoints.",
      },
      { name: "Alerts", description: "What you should know without having asked." },
      { name: "Test", description: "Test mode alone: play the payer and the clock." },
    ],
    paths,
    webhooks: {
      event: {
        post: {
          operationId: "receiveEvent",
          summary: "What your server receives",
          description: "With the headers `webhook-id` (the event's id), `webhook-timestamp` and `webhook-signature`.",
          tags: ["Webhooks"],
          security: [],
          requestBody: { required: true, content: { "application/json": { schema: WebhookBody } } },
          responses: { "2XX": { description: "It has been taken." }, "4XX": { description: "It is sent again; 410 ends it." } },
        },
      },
    },
    components: {
      securitySchemes: {
        publicKey: { type: "apiKey", in: "header", name: "X-Api-Key" },
        secretKey: { type: "apiKey", in: "header", name: "X-Api-Secret" },
      },
    },
  });
}

/** The OpenAPI tag, by the path's part after `/api/v1`. */
const TAG_OF_SECTION: Record<string, string> = {
  checkout: "Checkout",
  "virtual-cards": "Virtual cards",
  vtu: "VTU",
  "exchange-rates": "Wallet",
  wallet: "Wallet",
  banks: "Payouts",
  "bank-accounts": "Payouts",
  payouts: "Payouts",
  events: "Events",
  "webhook-endpoints": "Webhooks",
  "webhook-deliveries": "Webhooks",
  alerts: "Alerts",
  test: "Test",
};

/** Throws an Error for a section without a tag: the document would show its path as a heading. */
function tagOf(section: string): string {
  const tag = TAG_OF_SECTION[section];
  if (tag === undefined) throw new Error(`TAG_OF_SECTION names no tag for /api/v1/${section}`);
  return tag;
}

function operationOf(method: string, path: string, { declaration }: MerchantRoute): ZodOpenApiOperationObject {
  const { name, summary, description, area, query, params, body, returns, revalidates, allowedWhileSuspended, errors = [] } = declaration;
  const section = path.split("/")[3] ?? "";
  const codes = [
    ...ALWAYS,
    ...(method === "get" ? [] : WITH_A_BODY),
    ...(method === "get" || allowedWhileSuspended ? [] : WITH_A_CHANGE),
    ...(method === "post" ? WITH_AN_IDEMPOTENCY_KEY : []),
    ...(area ? ["SERVICE_NOT_ENABLED" as const] : []),
    ...errors,
  ];
  return {
    operationId: name,
    summary,
    ...(description && { description }),
    tags: [tagOf(section)],
    requestParams: {
      ...(query && { query: query as z.ZodObject }),
      ...(params && { path: params as z.ZodObject }),
      ...(method === "post" && { header: declaration.requiresIdempotencyKey ? IdempotencyKey.required() : IdempotencyKey }),
    },
    ...(body && { requestBody: { required: !body.safeParse({}).success, content: { "application/json": { schema: body } } } }),
    responses: { ...successes(returns), ...(revalidates && notModified), ...failures(codes) },
  };
}

const notModified: ZodOpenApiResponsesObject = {
  "304": { description: "The list is what you have: you sent its `ETag` as `If-None-Match`.", headers: requestIdHeader },
};

function successes(returns: Record<number, z.ZodType>): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(returns).map(([status, schema]) => [
      status,
      { description: "Success", headers: requestIdHeader, content: { "application/json": { schema } } },
    ]),
  );
}

function failures(codes: ErrorCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy([...new Set(codes)], (code) => String(ERROR_STATUS[code]));
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      { description: list.join(", "), headers: requestIdHeader, content: { "application/json": { schema: ErrorAnswer } } },
    ]),
  );
}
