import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { newWebhookSecret, signatureOf } from "./signature.ts";

test("the standardwebhooks package verifies every body with each of its secrets and with no other", () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 5 }), (body, count) => {
      const secrets = Array.from({ length: count }, newWebhookSecret);
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signatureOf(secrets, { id: "evt_1", timestamp, body }),
      };
      for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
      expect(() => new Webhook(secrets[0] ?? "").verify(body, { ...headers, "webhook-id": "evt_2" })).toThrow();
    }),
    { numRuns: 50 },
  );
});
