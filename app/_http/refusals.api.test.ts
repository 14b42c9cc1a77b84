import { expect, test } from "vitest";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { sql } from "#db/client.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { aKey, readWallet, TRUST_THIS_MACHINE } from "./api-key.fixture.ts";

withDatabase();
const app = withApp(TRUST_THIS_MACHINE);
const asking = readWallet(app);

test("every endpoint refuses the methods that it does not have, in the API's error shape", async () => {
  for (const [path, there] of Map.groupBy(endpoints, ({ path }) => path)) {
    const target = path.replaceAll(/\{\w+\}/g, "x");
    const methods = there.map(({ method }) => method.toUpperCase());
    for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((each) => !methods.includes(each))) {
      const answer = await apiClient(app, undefined).call(other, target);
      expectError(answer, "METHOD_NOT_ALLOWED");
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(methods.toSorted());
    }
  }
});

test("an unknown path is answered RESOURCE_NOT_FOUND, in the API's error shape", async () => {
  for (const path of [
    "/api/v1/nothing",
    "/api/v1/checkout/create/more",
    "/api/v1",
    "/api/v2/x",
    "/api/v1/%zz",
    "/api/v1/test/checkout/%E0%A4%A/transfer",
  ])
    expectError(await apiClient(app, undefined).get(path), "RESOURCE_NOT_FOUND");
});

test("an internal failure is a 500 with outcome unknown and reveals nothing of the inside", async () => {
  const { key } = await aKey();
  await sql()`alter table ledger_accounts rename to ledger_accounts_gone`;
  try {
    expectError(await asking(key), "INTERNAL_ERROR", "unknown");
  } finally {
    await sql()`alter table ledger_accounts_gone rename to ledger_accounts`;
  }
});

test("the API, the sandbox and the route for notices read a body no further than its limit", async () => {
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    });
  const { key } = await aKey();
  const credentials = { "X-Api-Key": key.publicKey, "X-Api-Secret": key.secretKey, "Content-Type": "application/json" };
  for (const path of ["/api/providers/sandbox/notices", "/sandbox/bank/accounts", "/api/v1/checkout/create"]) {
    const options = { method: "POST", body: endless(), duplex: "half", headers: credentials };
    expect((await fetch(`${app.url}${path}`, options as RequestInit)).status).toBe(413);
  }
});

test("a bank's notice is accepted only with a fresh signature over these very bytes", async () => {
  const notices = `${app.url}/api/providers/sandbox/notices`;
  const send = (body: string, signature: string) => fetch(notices, { method: "POST", body, headers: { "x-sandbox-signature": signature } });
  const { sign } = await import("#lib/signature.ts");
  const { sandboxNoticeSecret, sandboxRequestSecret } = await import("#lib/sandbox-link.ts");
  const body = JSON.stringify({
    id: "n1",
    session: "s1",
    reference: "0000000000",
    account_no: "0000000000",
    kobo: "100",
    from: null,
    made_at: new Date().toISOString(),
    sent_back: null,
  });
  const good = sign(sandboxNoticeSecret(), body);
  expect((await send(body, "")).status).toBe(401);
  expect((await send(body, sign("guess", body))).status).toBe(401);
  expect((await send(body, sign(sandboxRequestSecret(), body))).status).toBe(401);
  expect((await send(`${body} `, good)).status).toBe(401);
  expect((await send(body, sign(sandboxNoticeSecret(), body, Date.now() - 6 * 60_000))).status).toBe(401);
  expect((await send("{}", sign(sandboxNoticeSecret(), "{}"))).status).toBe(401);
  expect((await fetch(`${app.url}/api/providers/nobody/notices`, { method: "POST", body })).status).toBe(404);
  expect(await sql()`select * from provider_notices`).toHaveLength(0);
  expect((await send(body, good)).status).toBe(200);
  expect((await send(body, good)).status).toBe(200);
  expect(await sql()`select * from bank_transfers where session_id = 's1'`).toHaveLength(1);
});
