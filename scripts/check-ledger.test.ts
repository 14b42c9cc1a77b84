import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { aLink, hear, noticeOf } from "../services/checkout/checkout.fixture.ts";
import { systemContext } from "../services/context.ts";
import { aMerchant } from "../services/merchants/merchant.fixture.ts";
import { sealWallets } from "../services/seals/index.ts";
import { runScript } from "./run-script.fixture.ts";

withDatabase();
withApp();

const folder = mkdtempSync(join(tmpdir(), "oja-ledger-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the script. Returns its exit code, the lines of its output, and its errors. */
function checkLedger(args?: string[], env?: Record<string, string>) {
  const { out, ...rest } = runScript("check-ledger", args, env);
  return { ...rest, out: out.split("\n") };
}

const SOUND = "The ledger is sound: every invariant holds.";
const SEALED = "The wallets are as they were sealed: 2 seals of 2 wallets.";

let merchantId = "";
beforeAll(async () => {
  const [shop, other] = [await aMerchant(), await aMerchant()];
  for (const each of [shop, other]) await hear(noticeOf(await aLink(each)));
  merchantId = shop.merchant.id;
  await sealWallets(systemContext("test"));
});

test("a sound ledger is two lines and the exit code 0, and without the secret key it says that signatures were not checked", () => {
  expect(checkLedger()).toEqual({ status: 0, out: [SOUND, SEALED], err: "" });
  const unsigned = `${SEALED} Signatures were not checked: OJA_SECRET_KEY is not set.`;
  expect(checkLedger([], { OJA_SECRET_KEY: "" })).toEqual({ status: 0, out: [SOUND, unsigned], err: "" });
});

test("one merchant or one period can be checked alone, without seals, and an unreadable time is refused", () => {
  expect(checkLedger(["--merchant", merchantId, "--since", "2026-01-01"])).toEqual({ status: 0, out: [SOUND], err: "" });
  expect(checkLedger(["--since", "yesterday"])).toMatchObject({ status: 1, err: expect.stringContaining("Write it like 2026-11-01.") });
});

test("with the secret key of another installation, every seal is reported as signed with another key", () => {
  const { status, err } = checkLedger([], { OJA_SECRET_KEY: "f".repeat(64) });
  expect(status).toBe(1);
  expect(err).toContain(`BROKEN: wallet of ${merchantId}, entry 1: the seal was not signed with the key of this installation.`);
  expect(err).toContain("The wallets are not as they were sealed. Findings: 2.");
});

test("heads kept in a file or a log are found in the ledger; a changed head and a file without heads are errors", () => {
  const { status, out } = checkLedger(["--heads"]);
  expect([status, out.length]).toEqual([0, 2]);
  const file = join(folder, "heads.jsonl");
  writeFileSync(
    file,
    ["Oja listens", "null", ...out, JSON.stringify({ level: 30, ...JSON.parse(out[0] ?? ""), msg: "the head of a wallet" })].join("\n"),
  );
  expect(checkLedger(["--against", file])).toEqual({ status: 0, out: [SOUND, `${SEALED} They contain the 3 heads of ${file}.`], err: "" });
  writeFileSync(file, JSON.stringify({ merchant_id: merchantId, seq: "9", hash: "0".repeat(64) }));
  const lost = checkLedger(["--against", file]);
  expect([lost.status, lost.out]).toEqual([1, [SOUND]]);
  expect(lost.err).toContain(`BROKEN: wallet of ${merchantId}, entry 9: a seal of this entry was kept outside, and there is none`);
  writeFileSync(file, "nothing");
  expect(checkLedger(["--against", file])).toMatchObject({ status: 1, err: expect.stringContaining("There is no head in") });
});

test("a broken invariant and a changed entry are both told, with the exit code 1", async () => {
  await sql().begin(async (tx) => {
    await tx`alter table ledger_entries disable trigger all`;
    await tx`update ledger_entries set posted = posted + 1 where merchant_id = ${merchantId} and account = 'wallet'`;
    await tx`alter table ledger_entries enable trigger all`;
  });
  const { status, err } = checkLedger();
  expect(status).toBe(1);
  expect(err).toMatch(/^BROKEN: .+ \(\d+ rows\)/);
  expect(err).toContain(`BROKEN: wallet of ${merchantId}, entry 1: an entry behind 0 and up to this one is not what was sealed.`);
});
