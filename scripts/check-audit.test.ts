import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { aChain, asOwner, headOf, note } from "../services/audit/audit.fixture.ts";
import { runScript } from "./run-script.fixture.ts";

withDatabase();

const folder = mkdtempSync(join(tmpdir(), "oja-audit-"));
afterAll(() => rmSync(folder, { recursive: true }));

const checkAudit = (args?: string[], env?: Record<string, string>) => runScript("check-audit", args, env);

/** Writes lines to a file. Returns its path. */
function fileOf(name: string, lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

let [first, second] = ["", ""];
const SOUND = { status: 0, out: "The audit is sound: 5 entries of 2 businesses.", err: "" };

beforeAll(async () => {
  [first, second] = [await aChain(2), await aChain(3)];
});

test("a sound audit is one line with the number of its entries and businesses, and the exit code 0", () => {
  expect(checkAudit()).toEqual(SOUND);
});

test("the heads are one JSON object a line, and the audit is sound against them", async () => {
  const { status, out } = checkAudit(["--heads"]);
  expect(status).toBe(0);
  const kept = (await Promise.all([headOf(first), headOf(second)])).map(({ businessId, seq, hash }) => ({
    business_id: businessId,
    seq,
    hash,
  }));
  const byId = (heads: { business_id: string }[]) => heads.toSorted((a, b) => (a.business_id < b.business_id ? -1 : 1));
  expect(byId(out.split("\n").map((line) => JSON.parse(line)))).toEqual(byId(kept));
  const file = fileOf("heads.jsonl", out.split("\n"));
  expect(checkAudit(["--against", file])).toEqual({ ...SOUND, out: `${SOUND.out} It contains the 2 heads of ${file}.` });
});

test("a removed tail is found against the lines of a log, among other lines, with the exit code 1", async () => {
  await note(first);
  const { businessId: business_id, seq, hash } = await headOf(first);
  const line = { level: 30, time: "2026-11-22T01:53:00.000Z", pid: 7, business_id, seq, hash, msg: "the head of an audit chain" };
  const others = [
    "Oja listens on http://localhost:3000",
    "",
    "null",
    '{"level":30,"msg":"sweep"}',
    '{"business_id":"biz_1","seq":0,"hash":"x"}',
  ];
  const log = fileOf("oja.log", [...others, JSON.stringify(line), "{"]);
  expect(checkAudit(["--against", log])).toMatchObject({ status: 0, err: "" });
  await asOwner(async (tx) => {
    await tx`delete from audit_entries where business_id = ${first} and seq = 3`;
    await tx`update audit_heads h set seq = 2, hash = e.hash from audit_entries e where h.business_id = ${first} and e.business_id = ${first} and e.seq = 2`;
  });
  expect(checkAudit()).toEqual(SOUND);
  const { status, out, err } = checkAudit(["--against", log]);
  expect([status, out]).toEqual([1, ""]);
  expect(err).toBe(
    `BROKEN: ${first}, entry 3: a head kept outside has the hash of this entry, and the chain has no such entry: its end was removed.\nThe audit is not sound. Findings: 1.`,
  );
});

test("a file without a head, and a file that is not there, are errors, so that neither looks sound", () => {
  for (const [file, message] of [
    [fileOf("empty", []), "There is no head in"],
    [fileOf("other.log", ['{"level":30,"msg":"sweep"}', "text"]), "There is no head in"],
    [join(folder, "nowhere"), "ENOENT"],
  ] as const) {
    const { status, out, err } = checkAudit(["--against", file]);
    expect([status, out]).toEqual([1, ""]);
    expect(err).toContain("The audit could not be checked:");
    expect(err).toContain(message);
  }
});

test("an audit is not sound under the secret key of another installation", async () => {
  const { status, err } = checkAudit([], { OJA_SECRET_KEY: "f".repeat(64) });
  expect(status).toBe(1);
  expect(err).toContain(`BROKEN: ${first}, entry 1: the hash does not fit`);
  expect(err).toContain(`The audit is not sound. Findings: ${(await sql()`select 1 from audit_entries`).length}.`);
});
