import { afterAll, beforeAll } from "vitest";
import { listenOnLoopback } from "../../listen-on-loopback.ts";
import { Paystack } from "./paystack.ts";

export type { Paystack } from "./paystack.ts";

/** Runs a simulated Paystack during the tests of a file, and puts its address and key into the settings. Call it before `withDatabase`. */
export function withPaystack(): Paystack {
  const paystack = new Paystack();
  beforeAll(async () => {
    paystack.url = `http://127.0.0.1:${await listenOnLoopback(paystack.wire.server)}`;
    Object.assign(process.env, { OJA_PAYSTACK_BASE_URL: paystack.url, OJA_PAYSTACK_SECRET_KEY: paystack.secretKey });
  });
  afterAll(() => paystack.wire.close());
  return paystack;
}
