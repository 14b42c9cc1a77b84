import type { MerchantRoute } from "#app/_http/merchant-route.ts";
import { type AnswerOf, type Caller, Refused } from "./call.ts";

/** A file, as an endpoint takes it. */
interface SentFile {
  type: string;
  content: string | Blob;
  query?: Record<string, string>;
  /** Absent for an upload that has the same effect however often it is sent. */
  idempotencyKey?: string;
}

/** As `call`, for an endpoint whose body is a file. Throws `Refused`, or the error of `fetch` without an answer. */
export async function sendFile<Route extends MerchantRoute>(
  { merchantId, origin = "", headers = {} }: Caller,
  path: string,
  { type, content, query, idempotencyKey }: SentFile,
): Promise<AnswerOf<Route>> {
  const response = await fetch(`${origin}${path}${query ? `?${new URLSearchParams(query)}` : ""}`, {
    method: "POST",
    headers: {
      ...{ "Oja-Merchant": merchantId, "Content-Type": type },
      ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
      ...headers,
    },
    body: content,
  });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.error);
  return answer;
}
