import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { keyedHash } from "#lib/secrets.ts";
import { withDatabase } from "#testing/database.ts";
import { systemContext } from "../context.ts";
import { aChain, asOwner, entriesOf, findingsOf, headOf, note } from "./audit.fixture.ts";
import { checkAudit } from "./check-audit.ts";
import { logAuditHeads } from "./log-heads.ts";

vi.mock("#lib/secrets.ts", { spy: true });
withDatabase();

const LENGTH = 6;
/** Matches a finding about entry `seq` that contains `problem`. */
const at = (seq: number, problem = "the hash does not fit") => expect.stringContaining(`${seq}: ${problem}`);

describe("without the secret key, the owner of the database cannot hide", () => {
  const copyOf = (seq: number, as: string) => `
    insert into audit_entries select business_id, ${as}, id, mode, actor_type, actor_id, action, subject, reason, before, after, address, request_id, created_at, hash
    from audit_entries where business_id = $1 and seq = ${seq}`;
  const mine = "where business_id = $1";
  const change = (set: string) => [`update audit_entries set ${set} ${mine} and seq = 3`];
  const setHeadBack = `update audit_heads h set seq = e.seq, hash = e.hash from audit_entries e
    where h.business_id = $1 and e.business_id = $1 and e.seq = (select max(seq) from audit_entries ${mine})`;

  test.each<[string, string[], unknown[]]>([
    ["a changed id", change("id = 'x'"), [at(3)]],
    ["a changed mode", change("mode = 'live'"), [at(3)]],
    ["a changed type of actor", change("actor_type = 'system'"), [at(3)]],
    ["a changed actor", change("actor_id = 'x'"), [at(3)]],
    ["a changed action", change("action = 'x'"), [at(3)]],
    ["a changed subject", change("subject = 'x'"), [at(3)]],
    ["a changed reason", change("reason = 'x'"), [at(3)]],
    ["a changed field of before", change(`before = '{"n": 2}'`), [at(3)]],
    ["a changed field of after", change(`after = after || '{"c": "z"}'`), [at(3)]],
    ["a changed address", change("address = '127.0.0.1'"), [at(3)]],
    ["a changed request", change("request_id = 'req_1'"), [at(3)]],
    ["a changed time", change("created_at = created_at - interval '1 ms'"), [at(3)]],
    ["a time that is no time", change("created_at = 'infinity'"), [at(3)]],
    ["a changed hash", change("hash = repeat('0', 64)"), [at(3), at(4)]],
    ["a deleted entry", [`delete from audit_entries ${mine} and seq = 3`], [at(3, "entry 3 is missing, so entry 4 cannot be checked")]],
    ["deleted first entries", [`delete from audit_entries ${mine} and seq < 3`], [at(1, "entries 1 to 2 are missing")]],
    [
      "a deleted entry whose number is given to a later one",
      [`delete from audit_entries ${mine} and seq = 5`, `update audit_entries set seq = 5 ${mine} and seq = 6`, setHeadBack],
      [at(5)],
    ],
    [
      "two entries in another order",
      [
        `update audit_entries set seq = 99 ${mine} and seq = 3`,
        `update audit_entries set seq = 3 ${mine} and seq = 4`,
        `update audit_entries set seq = 4 ${mine} and seq = 99`,
      ],
      [at(3), at(4), at(5)],
    ],
    ["an entry added at the end, with the head row", [copyOf(2, "7"), setHeadBack], [at(7)]],
    [
      "an entry added in the middle",
      [
        `update audit_entries set seq = seq + 100 ${mine} and seq > 3`,
        copyOf(3, "4"),
        `update audit_entries set seq = seq - 99 ${mine} and seq > 100`,
      ],
      [at(4), at(5), at(6), at(7), at(7, "this is the last entry, and the head row names entry 6")],
    ],
    [
      "a removed last entry, with the head row left as it was",
      [`delete from audit_entries ${mine} and seq = 6`],
      [at(5, "this is the last entry, and the head row names entry 6")],
    ],
    ["a head row with another hash", [`update audit_heads set hash = repeat('0', 64) ${mine}`], [at(6, "the hash of this last entry")]],
    ["a removed head row", [`delete from audit_heads ${mine}`], [at(6, "this is the last entry, and the business has no head row")]],
    ["all entries removed", [`delete from audit_entries ${mine}`], [at(6, "the head row names this entry, and the business has no entry")]],
  ])("%s", async (_name, statements, findings) => {
    const businessId = await aChain(LENGTH);
    expect(await findingsOf(businessId)).toEqual([]);
    await asOwner(async (tx) => {
      for (const statement of statements) await tx.unsafe(statement, statement.includes("$1") ? [businessId] : []);
    });
    expect(await findingsOf(businessId)).toEqual(findings);
  });
});

test("a removed tail does not show by itself, and shows against a head that was kept outside", async () => {
  const businessId = await aChain(4);
  const earlier = await headOf(businessId);
  await note(businessId);
  await note(businessId);
  const kept = await headOf(businessId);
  await asOwner(async (tx) => {
    await tx`delete from audit_entries where business_id = ${businessId} and seq > 4`;
    await tx`update audit_heads set seq = 4, hash = ${earlier.hash} where business_id = ${businessId}`;
  });
  expect(await findingsOf(businessId)).toEqual([]);
  expect(await findingsOf(businessId, [earlier])).toEqual([]);
  expect(await findingsOf(businessId, [earlier, kept])).toEqual([
    at(6, "a head kept outside has the hash of this entry, and the chain has no such entry"),
  ]);
});

test("a chain that is gone with its head row shows against a head that was kept outside", async () => {
  const businessId = await aChain(2);
  const kept = await headOf(businessId);
  await asOwner(async (tx) => {
    await tx`delete from audit_entries where business_id = ${businessId}`;
    await tx`delete from audit_heads where business_id = ${businessId}`;
  });
  expect(await findingsOf(businessId)).toEqual([]);
  expect(await findingsOf(businessId, [kept])).toEqual([at(2, "a head kept outside")]);
});

test("a chain that a holder of the secret key writes anew does not show by itself, and shows against a head that was kept outside", async () => {
  const businessId = await aChain(3);
  const kept = await headOf(businessId);
  await asOwner(async (tx) => {
    await tx`delete from audit_entries where business_id = ${businessId}`;
    await tx`delete from audit_heads where business_id = ${businessId}`;
  });
  for (let i = 0; i < 4; i++) await note(businessId, "forged");
  expect(await findingsOf(businessId)).toEqual([]);
  expect(await findingsOf(businessId, [kept])).toEqual([
    at(3, "a head kept outside has the hash of this entry, and the chain has another"),
  ]);
});

/** Runs `act` as a process with another secret key would. */
async function withAnotherKey<T>(act: () => Promise<T>): Promise<T> {
  vi.mocked(keyedHash).mockImplementation((_purpose, text) => createHmac("sha256", "another key").update(text).digest("hex"));
  try {
    return await act();
  } finally {
    vi.mocked(keyedHash).mockReset();
  }
}

test("a chain that is written anew with another secret key is found at every entry", async () => {
  const businessId = await withAnotherKey(() => aChain(3));
  expect(await withAnotherKey(() => findingsOf(businessId))).toEqual([]);
  expect(await findingsOf(businessId)).toEqual([at(1), at(2), at(3)]);
});

test("an entry that is added to a chain with another secret key is found", async () => {
  const businessId = await aChain(3);
  await withAnotherKey(() => note(businessId));
  expect(await findingsOf(businessId)).toEqual([at(4)]);
});

test("a chain longer than a batch is checked whole, and a check counts all findings and lists the first 1,000", async () => {
  const businessId = await aChain(1_005);
  expect(await findingsOf(businessId)).toEqual([]);
  await asOwner((tx) => tx`delete from audit_entries where business_id = ${businessId} and seq in (1000, 1001)`);
  expect(await findingsOf(businessId)).toEqual([at(1_000, "entries 1000 to 1001 are missing, so entry 1002 cannot be checked")]);
  const before = await checkAudit(systemContext("test"));
  await asOwner((tx) => tx`update audit_entries set subject = 'x' where business_id = ${businessId}`);
  const { found, findings, entries, businesses } = await checkAudit(systemContext("test"));
  expect([found, findings.length]).toEqual([before.found + 1_002, 1_000]);
  const [counts] = await sql()`select count(*)::int as entries, count(distinct business_id)::int as businesses from audit_entries`;
  expect(counts).toEqual({ entries, businesses });
});

describe("the log of heads", () => {
  const lines = () => {
    const spy = vi.spyOn(log(), "info").mockImplementation(() => {});
    return {
      spy,
      about: (id: string) =>
        spy.mock.calls.map(([fields]) => fields as object).filter((fields) => Reflect.get(fields, "business_id") === id),
    };
  };
  afterEach(() => void vi.restoreAllMocks());

  test("has a line for each chain every time, whatever the owner of the database writes beside it", async () => {
    const [first, second] = [await aChain(2), await aChain(3)];
    const { about } = lines();
    expect(await logAuditHeads(systemContext("test"))).toBeGreaterThanOrEqual(2);
    const head = await headOf(second);
    expect([about(first).length, about(second)]).toEqual([1, [{ business_id: second, seq: 3, hash: head.hash }]]);
    await note(first);
    await logAuditHeads(systemContext("test"));
    expect(about(first)).toEqual([expect.objectContaining({ seq: 2 }), { business_id: first, seq: 3, hash: (await headOf(first)).hash }]);
    expect(about(second)).toHaveLength(2);
  });

  test("has a line for each of 1,001 businesses", async () => {
    await sql()`insert into audit_heads (business_id, seq, hash) select 'biz_logged_' || n, 1, 'h' from generate_series(1, 1001) n`;
    const { spy } = lines();
    const [counted] = await sql()<{ n: number }[]>`select count(*)::int as n from audit_heads`;
    expect(await logAuditHeads(systemContext("test"))).toBe(counted?.n);
    expect(new Set(spy.mock.calls.map(([fields]) => Reflect.get(fields as object, "business_id"))).size).toBe(counted?.n);
    await sql()`delete from audit_heads where business_id like 'biz_logged%'`;
  });
});

test("an entry that is noted while the audit is checked makes no finding", async () => {
  const businessId = await aChain(1);
  const [findings] = await Promise.all([findingsOf(businessId), ...Array.from({ length: 20 }, () => note(businessId))]);
  expect(findings).toEqual([]);
  expect(await entriesOf(businessId)).toHaveLength(21);
});
