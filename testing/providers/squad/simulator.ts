import { afterAll, beforeAll } from "vitest";
import { listenOnLoopback } from "../../listen-on-loopback.ts";
import { Squad } from "./squad.ts";

/** Runs a simulated Squad during the tests of a file, and puts its address and key into the settings. Call it before `withDatabase`. */
export function withSquad(): Squad {
  const squad = new Squad();
  beforeAll(async () => {
    squad.url = `http://127.0.0.1:${await listenOnLoopback(squad.wire.server)}`;
    Object.assign(process.env, {
      ...{ OJA_SQUAD_BASE_URL: squad.url, OJA_SQUAD_SECRET_KEY: squad.secretKey, OJA_SQUAD_MERCHANT_ID: squad.merchantId },
    });
  });
  afterAll(() => squad.wire.close());
  return squad;
}
