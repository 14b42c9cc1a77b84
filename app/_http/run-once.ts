import type { z } from "zod";
import { canonicalJson } from "#lib/canonical-json.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { keyedHash } from "#lib/secrets.ts";
import type { MerchantContext } from "#services/context.ts";
import { type Claim, claimKey, forgetClaim, keepAnswer, leaveUnknown } from "#services/idempotency/index.ts";
import type { Answer } from "./answers.ts";
import type { Call } from "./call.ts";
import type { Declaration, Input } from "./declaration.ts";

/** Runs the handler, at most once for an Idempotency-Key. */
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
