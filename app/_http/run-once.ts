import { createHash } from "node:crypto";
import type { z } from "zod";
import { canonicalJson } from "#lib/canonical-json.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { keyedHash } from "#lib/secrets.ts";
import type { MerchantContext } from "#services/context.ts";
import { type Claim, claimKey, recordAnswer, recordUnknown, releaseClaim, superseded } from "#services/idempotency/index.ts";
import type { Answer } from "./answers.ts";
import type { Call } from "./call.ts";
import type { Declaration, Input } from "./declaration.ts";

/**
 * Returns the handler's answer. With an Idempotency-Key, the handler completes at most once for that key, and a repeated request gets a
 * replay. Throws the errors of `claimKey` and of the handler.
 */
export async function runOnce<Body extends z.ZodType, Query extends z.ZodObject, Params extends z.ZodType>(
  call: Call,
  request: Request,
  declaration: Declaration<Body, Query, Params>,
  ctx: MerchantContext,
  input: Input<Body, Query, Params>,
  handle: (ctx: MerchantContext, input: Input<Body, Query, Params>) => Promise<Answer>,
): Promise<Answer> {
  const { replay } = declaration;
  const key = request.method === "POST" ? request.headers.get("idempotency-key") : null;
  if (key === null && declaration.requiresIdempotencyKey) {
    throw invalid("Idempotency-Key", "Send an Idempotency-Key: 1 to 255 visible characters, another one for each order.");
  }
  if (key === null) return handle(ctx, input);
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw invalid("Idempotency-Key", "Send 1 to 255 visible ASCII characters.");
  if (!replay) throw new Error(`${declaration.name} is a POST but declares no replay`);

  const claim: Claim = {
    merchantId: ctx.merchant.id,
    scope: `${call.method} ${oneSpelling(call.path)}`,
    key,
    bodyHash: hashBody(input.body, replay.secretFields ?? []),
  };
  const outcome = await claimKey(claim, () => replay.newResourceId(ctx));
  if (outcome.status === "replay") {
    call.headers["Idempotent-Replayed"] = "true";
    return { status: outcome.httpStatus, body: await replay.present(ctx, outcome.resourceId, { params: input.params, body: input.body }) };
  }
  if (outcome.isExecuted && replay.afterLostAnswer === "answers") {
    const status = onlyStatus(declaration);
    if (!(await recordAnswer(outcome.lease, status))) throw superseded();
    call.headers["Idempotent-Replayed"] = "true";
    return { status, body: await replay.present(ctx, outcome.resourceId, { params: input.params, body: input.body }) };
  }
  try {
    const { resourceId, resumed, isExecuted, lease } = outcome;
    const answer = await handle({ ...ctx, resourceId, resumed, isExecuted, lease }, input);
    if (!(await recordAnswer(outcome.lease, answer.status))) throw superseded();
    return answer;
  } catch (error) {
    if (!(error instanceof Problem) || error.outcome !== "not_executed") {
      await recordUnknown(outcome.lease);
      throw error;
    }
    if (!outcome.resumed || replay.afterLostAnswer || error.isFinal) {
      await releaseClaim(outcome.lease);
      throw error;
    }
    // The refusal does not prove that the earlier attempt executed nothing. So the claim is kept.
    await recordUnknown(outcome.lease);
    throw error.asUnknown("Ask again: send the same request with the same Idempotency-Key, and it finishes what was begun.");
  }
}

/** Returns the status with which an endpoint answers that executes in one transaction. */
function onlyStatus({ name, returns }: Pick<Declaration<z.ZodType, z.ZodObject, z.ZodType>, "name" | "returns">): number {
  const [status, ...others] = Object.keys(returns);
  if (status === undefined || others.length > 0) throw new Error(`${name} answers with more than one status`);
  return Number(status);
}

/** Returns the same text for every spelling of a path, so that an Idempotency-Key applies however a client or a proxy writes the path. */
function oneSpelling(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  try {
    return decodeURIComponent(trimmed);
  } catch {
    // The path is not valid percent-encoding, so it is used as it is.
    return trimmed;
  }
}

// The hash covers the parsed body: two spellings of one body are the same request. A parsed body may contain bigints and dates.
function hashBody(body: unknown, secretFields: readonly string[]): string {
  if (body instanceof Uint8Array) return keyedHash("idempotency-body", createHash("sha256").update(body).digest("hex"));
  const plain = JSON.parse(JSON.stringify(body, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)));
  for (const field of secretFields) delete plain[field];
  return keyedHash("idempotency-body", canonicalJson(plain));
}
