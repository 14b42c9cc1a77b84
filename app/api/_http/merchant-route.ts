import { hash } from "node:crypto";
import { z } from "zod";
import { logFailure } from "#app/log-failure.ts";
import { canonicalJson } from "#lib/canonical-json.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { keyedHash } from "#lib/secrets.ts";
import type { MerchantContext } from "#services/context.ts";
import { type Claim, claimKey, forgetClaim, keepAnswer, leaveUnknown } from "#services/idempotency/index.ts";
import { modeOfPublicKey } from "#services/merchants/index.ts";
import { logRequest } from "#services/requests/index.ts";
import type { Answer } from "./answers.ts";
import { clientOf } from "./client-of.ts";
import type { Declaration, Input, NoBody } from "./declaration.ts";
import { identify } from "./identify.ts";
import { problemResponse } from "./problems.ts";
import { countRequest } from "./rate-limit.ts";
import { readInput } from "./read-input.ts";

type NextContext = { params: Promise<unknown> };

export interface MerchantRoute {
  (request: Request, next: NextContext): Promise<Response>;
  declaration: Declaration<z.ZodType, z.ZodObject, z.ZodType>;
}

const Anything = z.looseObject({});

/** What one call has become known to be, as it goes. */
interface Call {
  requestId: string;
  startedAtMs: number;
  method: string;
  url: URL;
  path: string;
  address: string;
  merchantId?: string;
  keyId?: string;
  /** As it was sent. Text that is no public key may be a secret under the wrong name, and goes into no log. */
  publicKey?: string;
  headers: Record<string, string>;
}

/**
 * The one wrapper around every merchant endpoint. In the contract's order: credentials, area, rate limit, body, then the handler,
 * which checks resource, state and balance.
 */
export function merchantRoute<
  Body extends z.ZodType = typeof NoBody,
  Query extends z.ZodObject = typeof Anything,
  Params extends z.ZodType = typeof Anything,
>(
  declaration: Declaration<Body, Query, Params>,
  handle: (ctx: MerchantContext, input: Input<Body, Query, Params>) => Promise<Answer>,
): MerchantRoute {
  const route = async (request: Request, next: NextContext): Promise<Response> => {
    const call = beginCall(request);
    try {
      const ctx = await admit(call, request, declaration);
      const input = await readInput(request, call.url.searchParams, await next.params, declaration);
      const answer = await answerOnce(call, request, declaration, ctx, input, handle);
      return finish(
        call,
        answer.status,
        undefined,
        declaration.revalidates ? unlessKnown(call, request, answer) : toResponse(call, answer),
      );
    } catch (error) {
      const problem = toProblem(error, call);
      return finish(call, undefined, problem, problemResponse(problem, call.requestId, call.headers));
    }
  };
  return Object.assign(route, { declaration: declaration as unknown as MerchantRoute["declaration"] });
}

function beginCall(request: Request): Call {
  const requestId = newId("request");
  const url = new URL(request.url);
  return {
    requestId,
    startedAtMs: performance.now(),
    method: request.method,
    url,
    path: url.pathname,
    address: clientOf(request),
    headers: { "Request-Id": requestId, "Cache-Control": "no-store" },
  };
}

const toResponse = ({ headers }: Call, { status, body }: Answer): Response => Response.json(body, { status, headers });

/** RFC 9110, 13.1.2: the tag is of these bytes, so it changes with any of them. Kept by the client alone, and asked about each time. */
function unlessKnown(call: Call, request: Request, answer: Answer): Response {
  const tag = `"${hash("sha256", JSON.stringify(answer.body), "base64url").slice(0, 27)}"`;
  Object.assign(call.headers, { ETag: tag, "Cache-Control": "private, no-cache", Vary: "X-Api-Key" });
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (!known.includes(tag) && !known.includes("*")) return toResponse(call, answer);
  return new Response(null, { status: 304, headers: call.headers });
}

type AnyDeclaration = Pick<Declaration<z.ZodType, z.ZodObject, z.ZodType>, "area" | "permission" | "testModeOnly">;

async function admit(call: Call, request: Request, { area, permission, testModeOnly }: AnyDeclaration): Promise<MerchantContext> {
  const { headers } = request;
  const credentials = { publicKey: headers.get("x-api-key"), secretKey: headers.get("x-api-secret"), address: call.address };
  if (credentials.publicKey !== null && modeOfPublicKey(credentials.publicKey)) call.publicKey = credentials.publicKey;
  const { merchant, keyId, permissions } = await identify(credentials);
  call.merchantId = merchant.id;
  call.keyId = keyId;
  if (testModeOnly && merchant.mode !== "test")
    throw new Problem("RESOURCE_NOT_FOUND", "This endpoint exists in test mode only. Use a test key.");
  if (area && !merchant.areas.includes(area)) {
    throw new Problem(
      "SERVICE_NOT_ENABLED",
      `The area ${area} is not enabled for this account. Ask for it in the dashboard or write to support.`,
    );
  }
  if (!permissions.includes(permission)) {
    throw new Problem("PERMISSION_DENIED", `This key may not do this. Give it the permission ${permission}, or use another key.`);
  }
  const limit = { perSecond: merchant.requestsPerSecond, burst: merchant.requestBurst };
  Object.assign(call.headers, countRequest(merchant.id, limit));
  return { merchant, actor: { type: "api_key", id: keyId }, requestId: call.requestId, address: call.address };
}

/** Runs the handler, at most once for an Idempotency-Key. */
async function answerOnce<Body extends z.ZodType, Query extends z.ZodObject, Params extends z.ZodType>(
  call: Call,
  request: Request,
  declaration: Declaration<Body, Query, Params>,
  ctx: MerchantContext,
  input: Input<Body, Query, Params>,
  handle: (ctx: MerchantContext, input: Input<Body, Query, Params>) => Promise<Answer>,
): Promise<Answer> {
  const { replay } = declaration;
  const key = request.method === "POST" ? request.headers.get("idempotency-key") : null;
  if (key === null) return handle(ctx, input);
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw invalid("Idempotency-Key", "Send 1 to 255 visible ASCII characters.");
  if (!replay) throw new Error(`${declaration.name} is a POST and does not say how it replays`);

  const claim: Claim = {
    merchantId: ctx.merchant.id,
    scope: `${call.method} ${oneSpelling(call.path)}`,
    key,
    bodyHash: hashBody(input.body),
  };
  const outcome = await claimKey(claim, replay.newResourceId);
  if (outcome.status === "replay") {
    call.headers["Idempotent-Replayed"] = "true";
    return { status: outcome.httpStatus, body: await replay.present(ctx, outcome.resourceId, { params: input.params, body: input.body }) };
  }
  try {
    const answer = await handle({ ...ctx, resourceId: outcome.resourceId, resumed: outcome.resumed, lease: outcome.lease }, input);
    await keepAnswer(outcome.lease, answer.status);
    return answer;
  } catch (error) {
    if (!(error instanceof Problem) || error.outcome !== "not_executed") {
      await leaveUnknown(outcome.lease);
      throw error;
    }
    if (!outcome.resumed || replay.refusalsAreFinal) {
      await forgetClaim(outcome.lease);
      throw error;
    }
    // A resumed request knows of this try alone. What an earlier one began may have happened, so its claim is not given back.
    await leaveUnknown(outcome.lease);
    throw error.asUnknown("Ask again: send the same request with the same Idempotency-Key, and it finishes what was begun.");
  }
}

/** Paths that lead to the same endpoint are one: an Idempotency-Key holds however a client or a proxy writes them. */
function oneSpelling(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  try {
    return decodeURIComponent(trimmed);
  } catch {
    // Not an encoding of anything: then it is as it is.
    return trimmed;
  }
}

// The parsed body holds bigints and dates; two bodies that parse to the same thing are the same request.
function hashBody(body: unknown): string {
  const plain = JSON.parse(JSON.stringify(body, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)));
  return keyedHash("idempotency-body", canonicalJson(plain));
}

function toProblem(error: unknown, call: Call): Problem {
  if (error instanceof Problem) return error;
  logFailure(error, { requestId: call.requestId, method: call.method, path: call.path });
  return new Problem(
    "INTERNAL_ERROR",
    "Something failed on our side. Ask for the status before you send it again, and quote request_id to support.",
  );
}

function finish(call: Call, status: number | undefined, problem: Problem | undefined, response: Response): Response {
  const durationMs = Math.round(performance.now() - call.startedAtMs);
  const { requestId, method, path, address, merchantId, keyId, publicKey } = call;
  const stranger = merchantId === undefined ? { address, publicKey } : {};
  const outcome = { status: status ?? response.status, code: problem?.code, durationMs };
  log().info({ requestId, merchantId, ...stranger, method, path, ...outcome }, "request");
  if (merchantId && keyId) {
    logRequest({
      merchantId,
      id: requestId,
      apiKeyId: keyId,
      method,
      path,
      status: response.status,
      errorCode: problem?.code ?? null,
      durationMs,
      clientAddress: address,
      createdAt: new Date(),
    });
  }
  return response;
}
