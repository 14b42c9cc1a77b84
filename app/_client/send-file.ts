import type { MerchantRoute } from "#app/_http/merchant-route.ts";
import { type AnswerOf, type Caller, Refused } from "./call.ts";

/** A file's text, as an endpoint takes it. */
interface SentFile {
  type: string;
  text: string;
  idempotencyKey: string;
}

/** As `call`, for an endpoint whose body is a file. Throws `Refused`, or the error of `fetch` without an answer. */
export async function sendFile<Route extends MerchantRoute>(
  { merchantId, origin = "", headers = {} }: Caller,
  path: string,
  { type, text, idempotencyKey }: SentFile,
): Promise<AnswerOf<Route>> {
  const response = await fetch(`${origin}${path}`, {
    method: "POST",
    headers: { "Oja-Merchant": merchantId, "Content-Type": type, "Idempotency-Key": idempotencyKey, ...headers },
    body: text,
  });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.error);
  return answer;
}
