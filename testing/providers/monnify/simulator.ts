import { afterAll, beforeAll } from "vitest";
import { listenOnLoopback } from "../../listen-on-loopback.ts";
import { Monnify } from "./monnify.ts";

/** Runs a simulated Monnify during the tests of a file, and puts its address and keys into the settings. Call it before `withDatabase`. */
export function withMonnify(): Monnify {
  const monnify = new Monnify();
  beforeAll(async () => {
    monnify.url = `http://127.0.0.1:${await listenOnLoopback(monnify.wire.server)}`;
    Object.assign(process.env, {
      ...{ OJA_MONNIFY_BASE_URL: monnify.url, OJA_MONNIFY_API_KEY: monnify.apiKey, OJA_MONNIFY_SECRET_KEY: monnify.secretKey },
      ...{ OJA_MONNIFY_CONTRACT_CODE: monnify.contractCode, OJA_MONNIFY_SOURCE_ACCOUNT: monnify.sourceAccount },
    });
  });
  afterAll(() => monnify.wire.close());
  return monnify;
}
