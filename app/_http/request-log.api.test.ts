import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { apiClient } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { POST as createLink } from "../api/v1/checkout/create/route.ts";
import { aKey, fromNewAddress, readWallet, TRUST_THIS_MACHINE, WALLET } from "./api-key.fixture.ts";

withDatabase();
const app = withApp(TRUST_THIS_MACHINE);
const asking = readWallet(app);

test("the log line of a refused call names its address and public key, and no secret", async () => {
  const { key } = await aKey();
  const secretKey = `${key.secretKey.slice(0, -1)}!`;
  const refused = await apiClient(app, { ...key, secretKey }).get(WALLET, { headers: { "X-Forwarded-For": "192.0.2.68" } });
  const swapped = await apiClient(app, { publicKey: key.secretKey, secretKey: key.publicKey }).get(WALLET, fromNewAddress());
  const lineOf = (answer: typeof refused) => lines().find(({ requestId }) => requestId === answer.headers.get("request-id"));
  const lines = () =>
    app
      .log()
      .split("\n")
      .flatMap((line) => {
        try {
          return [JSON.parse(line)];
        } catch {
          // The line is incomplete so far, or it is a warning of Node.
          return [];
        }
      });
  await until(async () => lineOf(refused) && lineOf(swapped));
  expect(lineOf(refused)).toMatchObject({ address: "192.0.2.68", publicKey: key.publicKey, code: "INVALID_CREDENTIALS" });
  expect(lineOf(swapped)).not.toHaveProperty("publicKey");
  for (const secret of [key.secretKey, secretKey]) expect(await app.wholeLog()).not.toContain(secret);
});

test("every call gets a row of the merchant's request log and updates its key's last use", async () => {
  const { key, merchant } = await aKey();
  const { headers } = await asking(key);
  const [row] = await until(async () => {
    const rows = await sql()`select * from request_log where merchant_id = ${merchant.id}`;
    return rows.length > 0 && rows;
  });
  expect(row).toMatchObject({
    id: headers.get("request-id"),
    method: "GET",
    path: WALLET,
    status: 200,
    api_key_id: key.id,
    client_address: expect.stringMatching(/^203\./),
  });
  await until(async () => (await sql()`select 1 from api_key_uses where api_key_id = ${key.id}`).length > 0);
});

test("a client that closes its connection before its body ends is logged as 499, and not as a failure of ours", async () => {
  const { key, merchant } = await aKey();
  const closing = [
    (end: AbortController) => end.abort(),
    (_end: AbortController, body: ReadableStreamDefaultController) => body.error(new Error("aborted")),
  ];
  for (const close of closing) {
    const end = new AbortController();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"amount":')),
      pull: (controller) => close(end, controller),
    });
    const headers = { "X-Api-Key": key.publicKey, "X-Api-Secret": key.secretKey, "Content-Type": "application/json" };
    const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, signal: end.signal, duplex: "half" };
    const request = new Request(`${app.url}/api/v1/checkout/create`, init);
    expect((await createLink(request, { params: Promise.resolve({}) })).status).toBe(499);
  }
  const rows = await until(async () => {
    const found = await sql()`select status, error_code from request_log where merchant_id = ${merchant.id}`;
    return found.length === closing.length && found;
  });
  expect(rows).toEqual(closing.map(() => ({ status: 499, error_code: null })));
});
