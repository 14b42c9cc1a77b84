import { expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { outsideTransaction } from "#testing/outside-transaction.ts";
import { times, until } from "#testing/until.ts";
import { createApiKey, rollApiKey } from "../api-keys/index.ts";
import { setBrand, setEmbedOrigins } from "../merchants/index.ts";
import { aMerchantWithAllRights as aMerchant, anOperator } from "../merchants/merchant.fixture.ts";
import { changeEndpoint, createEndpoint, deleteEndpoint, rollSecret } from "../webhooks/index.ts";
import { aBareBusiness, entriesOf, findingsOf, note, noteIn } from "./audit.fixture.ts";
import { noteInAudit } from "./note.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });

const numbersOf = async (businessId: string) => (await entriesOf(businessId)).map(({ seq }) => seq);

/** Runs `between` after a transaction has done `first` and before it commits. Returns the transaction's promise. */
async function beforeCommitOf(first: Parameters<typeof transaction>[0], between: () => Promise<unknown>): Promise<void> {
  const [done, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const committed = transaction(async (tx) => {
    await first(tx);
    done.resolve();
    await mayCommit.promise;
  });
  await Promise.race([done.promise, committed]);
  try {
    await between();
  } finally {
    mayCommit.resolve();
  }
  await committed;
}

const someoneWaits = () => until(isLockAwaited);

test("text that PostgreSQL cannot store is stored with replacement characters, and its entry is sound", async () => {
  const businessId = await aBareBusiness();
  const strange = "a\0b\ud800c";
  await transaction((tx) =>
    noteInAudit(tx, anOperator, {
      businessId,
      action: "thing.done",
      subject: "s",
      reason: strange,
      after: { name: strange, list: [strange] },
    }),
  );
  expect(await findingsOf(businessId)).toEqual([]);
  const [entry] = await sql()`select reason, after from audit_entries where business_id = ${businessId}`;
  expect(entry).toEqual({ reason: "a\ufffdb\ufffdc", after: { name: "a\ufffdb\ufffdc", list: ["a\ufffdb\ufffdc"] } });
});

test("40 entries that are noted at once for one business are numbered from 1 to 40, their times ascend, and the chain is sound", async () => {
  const businessId = await aBareBusiness();
  await Promise.all(times(40, (i) => note(businessId, `subject ${i}`)));
  const entries = await entriesOf(businessId);
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  expect(new Set(entries.map(({ subject }) => subject)).size).toBe(40);
  const moments = entries.map(({ created_at }) => created_at);
  expect(moments).toEqual(moments.toSorted());
  expect(await findingsOf(businessId)).toEqual([]);
  await expectInvariantsToHold();
});

test("an entry waits for an uncommitted entry of its own business, and not for one of another business", async () => {
  const [ours, other] = [await aBareBusiness(), await aBareBusiness()];
  let second: Promise<void> | undefined;
  await beforeCommitOf(
    (tx) => noteIn(tx, ours),
    async () => {
      await note(other);
      second = note(ours);
      await someoneWaits();
      expect(await numbersOf(ours)).toEqual([]);
    },
  );
  await second;
  expect([await numbersOf(ours), await numbersOf(other)]).toEqual([[1, 2], [1]]);
  expect([...(await findingsOf(ours)), ...(await findingsOf(other))]).toEqual([]);
});

test("a transaction that is rolled back leaves no gap, also where another entry waits for it", async () => {
  const businessId = await aBareBusiness();
  await note(businessId);
  let waiting: Promise<void> | undefined;
  const rolledBack = transaction(async (tx) => {
    await noteIn(tx, businessId, "rolled back");
    await noteIn(tx, businessId, "rolled back");
    waiting = outsideTransaction(() => note(businessId, "waiting"));
    await outsideTransaction(someoneWaits);
    throw new Error("roll back");
  });
  await expect(rolledBack).rejects.toThrow("roll back");
  await waiting;
  expect((await entriesOf(businessId)).map(({ seq, subject }) => [seq, subject])).toEqual([
    [1, "s"],
    [2, "waiting"],
  ]);
  expect(await findingsOf(businessId)).toEqual([]);
});

test("a later entry of a chain has the later time, even if its transaction began earlier", async () => {
  const businessId = await aBareBusiness();
  await transaction(async (tx) => {
    await tx.execute("select now()");
    await outsideTransaction(async () => {
      await note(businessId, "began later");
      const [{ created_at = "" } = {}] = await entriesOf(businessId);
      await until(
        async () => (await sql()`select 1 where clock_timestamp() > ${created_at}::text::timestamptz + interval '2 ms'`).length > 0,
      );
    });
    await noteIn(tx, businessId, "began earlier");
  });
  const [first, second] = await entriesOf(businessId);
  expect([first?.subject, second?.subject]).toEqual(["began later", "began earlier"]);
  expect(second && first && second.created_at > first.created_at).toBe(true);
});

test("an entry names the business, the mode of its merchant, the actor, the request and the address", async () => {
  const { ctx, merchant, liveCtx } = await aMerchant();
  const [inTest, inLive] = [await createApiKey(ctx, { name: "t" }), await createApiKey(liveCtx, { name: "l", allowedIps: ["10.0.0.1"] })];
  await setBrand({ ...ctx, businessId: merchant.businessId }, { colour: "#112233", supportPhone: null });
  const rows = await sql()`
    select mode, actor_type, actor_id, subject, request_id, address, before, after->'allowed_ips' as ips, after->>'colour' as colour
    from audit_entries where business_id = ${merchant.businessId} order by seq desc limit 3`;
  const author = { actor_type: "cli", actor_id: ctx.actor.id, request_id: ctx.requestId, address: ctx.address };
  expect(rows).toEqual([
    {
      ...{ ...author, mode: null, subject: merchant.businessId, ips: null, colour: "#112233" },
      before: { colour: "#0f766e", support_phone: null },
    },
    { ...author, mode: "live", subject: inLive.id, before: null, ips: ["10.0.0.1"], colour: null },
    { ...author, mode: "test", subject: inTest.id, before: null, ips: [], colour: null },
  ]);
});

test("an entry about an unknown merchant is refused, and its transaction with it", async () => {
  await expect(note("biz_nobody")).rejects.toThrow("biz_nobody is no known merchant or business");
  expect(await sql()`select 1 from audit_heads where business_id = 'biz_nobody'`).toEqual([]);
});

test("the audit contains no secret, no hash or seal of a secret, and no address of an endpoint", async () => {
  const { ctx, key, merchant } = await aMerchant();
  const made = await createApiKey(ctx, { name: "k" });
  const rolled = await rollApiKey(ctx, made.id, 1);
  const endpoint = await createEndpoint(ctx, { url: "https://hook.example/in?token=hidden-token", eventTypes: null });
  const { secret } = await rollSecret(ctx, endpoint.id, 1_000);
  await changeEndpoint(ctx, endpoint.id, { url: "https://other.example/?key=hidden-key", status: "disabled", eventTypes: ["vtu.success"] });
  await setEmbedOrigins(ctx, ["https://shop.example"]);
  const stored = await sql()<{ text: string }[]>`
    select secret_hash as text from api_keys union select sealed from webhook_secrets union select password_hash from users`;
  expect(stored.length).toBeGreaterThan(4);
  await deleteEndpoint(ctx, endpoint.id);
  const [{ all = "" } = {}] = await sql()<{ all: string }[]>`select string_agg(e::text, ' ') as all from audit_entries e`;
  const given = [key.secretKey, made.secretKey, rolled.key.secretKey, endpoint.secret, secret, "hidden-token", "hidden-key"];
  for (const text of [...given, "hook.example", "other.example", "correct horse battery", "sk_test", ...stored.map((row) => row.text)]) {
    expect(text).toMatch(/\w{6}/);
    expect(all).not.toContain(text);
  }
  const changes = await sql()`
    select action, before, after from audit_entries
    where business_id = ${merchant.businessId} and subject in (${endpoint.id}, ${made.id}) order by seq`;
  expect(changes).toMatchObject([
    { action: "api_key.created", before: null, after: { name: "k", allowed_ips: [] } },
    { action: "api_key.rolled", before: { expires_at: null }, after: { replaced_by: rolled.key.id, expires_at: expect.any(String) } },
    { action: "webhook_endpoint.created", before: null, after: { event_types: null, status: "enabled" } },
    { action: "webhook_secret.added", after: { secret_id: endpoint.id, overlap_hours: 0 } },
    { action: "webhook_secret.added", after: { secret_id: expect.stringMatching(/^whs_/) } },
    {
      action: "webhook_endpoint.changed",
      before: { event_types: null, status: "enabled" },
      after: { url_changed: true, event_types: ["vtu.success"], status: "disabled" },
    },
    { action: "webhook_endpoint.deleted", before: { status: "disabled" }, after: { status: "deleted" } },
  ]);
});
