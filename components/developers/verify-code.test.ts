import { expect, test } from "vitest";
import { newWebhookSecret, signatureOf } from "#services/webhooks/endpoints/signature.ts";
import { VERIFY_CODE } from "./verify-code.ts";

const { isFromOja } = await import(`data:text/javascript,${encodeURIComponent(VERIFY_CODE)}`);

const body = '{"type":"checkout.success","data":{"name":"Ngọzi ₦"}}';

function signed(secrets: string[], timestamp = Math.floor(Date.now() / 1000)) {
  const signature = signatureOf(secrets, { id: "evt_1", timestamp, body });
  return { "webhook-id": "evt_1", "webhook-timestamp": String(timestamp), "webhook-signature": signature };
}

test("the code sample of the dashboard accepts a signed body, also one that an older secret signed as well", () => {
  const [old, secret] = [newWebhookSecret(), newWebhookSecret()];
  expect(isFromOja(secret, signed([secret]), body)).toBe(true);
  expect(isFromOja(secret, signed([old, secret]), Buffer.from(body))).toBe(true);
});

test("the code refuses another secret, another body, an old time and missing headers", () => {
  const secret = newWebhookSecret();
  expect(isFromOja(newWebhookSecret(), signed([secret]), body)).toBe(false);
  expect(isFromOja(secret, signed([secret]), `${body} `)).toBe(false);
  expect(isFromOja(secret, signed([secret], Math.floor(Date.now() / 1000) - 301), body)).toBe(false);
  expect(isFromOja(secret, {}, body)).toBe(false);
  expect(isFromOja(secret, { ...signed([secret]), "webhook-signature": "v1," }, body)).toBe(false);
});
