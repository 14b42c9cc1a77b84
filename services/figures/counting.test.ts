import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { WALLET } from "../ledger/index.ts";
import { accountOf, aWallet, hold, newKey, post } from "../ledger/ledger.fixture.ts";
import {
  countedLines,
  creditKobo,
  creditOf,
  cursorOf,
  debitOf,
  expectedLines,
  happen,
  moveLast,
  readLines,
  sweep,
} from "./figures.fixture.ts";

withDatabase();

const koboIn = (lines: string[], source: string) =>
  lines
    .map((line) => line.split(" "))
    .filter(([, from]) => from === source)
    .reduce((sum, [, , , , minor = "0"]) => sum + BigInt(minor), 0n);

test("a day adds up to the kobo while transfers are posted and five sweeps run at once", async () => {
  const merchantId = await aWallet(1_000_000n);
  let isPosting = true;
  const sweeps = times(5, async () => {
    while (isPosting) await sweep();
  });
  await Promise.all(
    times(4, async (lane) => {
      for (let n = 0; n < 40; n++) {
        const held = newKey();
        await post(merchantId, creditOf(n + 1, "payment_link"), debitOf(lane + 1, "card_fund"), hold(5n, held), creditOf(2));
        await post(merchantId, { kind: n % 2 ? "capture" : "release", key: newKey(), target: held, meta: { type: "vtu_airtime" } });
        await happen(merchantId, n % 3 ? "checkout.success" : "vtu.failed", { amount: n + 0.25 });
      }
    }),
  );
  isPosting = false;
  await Promise.all(sweeps);
  await sweep();
  const lines = await countedLines(merchantId);
  expect(lines).toEqual(await expectedLines(merchantId));
  expect(koboIn(lines, "wallet")).toBe((await accountOf(merchantId, WALLET)).posted);
  await expectInvariantsToHold();
});

test("an entry or event belongs to no earlier day than one before it, however many sweeps and days are between them", async () => {
  const merchantId = await aWallet();
  const days = ["2026-11-21", undefined, "2026-11-18", "2026-11-20"];
  for (const what of ["entry", "event"] as const) {
    for (const day of days) {
      // Between them, a sweep that counts only the other of the two.
      const other = what === "entry" ? "event" : "entry";
      const next = day === undefined ? other : what;
      if (next === "entry") await post(merchantId, creditOf(1));
      else await happen(merchantId, "card.issued");
      await moveLast(merchantId, next, new Date(`${day ?? "2026-11-21"}T12:00:00Z`));
      await sweep();
    }
  }
  expect(await countedLines(merchantId)).toEqual(["2026-11-21 event card.issued 4 0", "2026-11-21 wallet adjustment 4 4"]);
  expect(await readLines(merchantId)).toEqual(await countedLines(merchantId));
  await expectInvariantsToHold();
});

test("holds and releases count nothing, and debits are negative", async () => {
  const merchantId = await aWallet();
  await post(merchantId, creditOf(1_000, "payment_link"));
  await post(merchantId, hold(300n, "kept"), hold(200n, "freed"));
  await post(merchantId, { kind: "capture", key: "take", target: "kept", meta: { type: "vtu_data" } });
  await post(merchantId, { kind: "release", key: "free", target: "freed", meta: { type: "vtu_data" } });
  await sweep();
  expect((await countedLines(merchantId)).map((line) => line.slice(11))).toEqual(["wallet payment_link 1 1000", "wallet vtu_data 1 -300"]);
  expect((await cursorOf(merchantId))?.walletSeq).toBe(5n);
});

test("a worker that is killed while it counts has counted nothing, and the next sweep counts everything once", async () => {
  const merchantId = await aWallet(500n);
  await sweep();
  const [before, cursor] = [await countedLines(merchantId), await cursorOf(merchantId)];
  await post(merchantId, creditOf(70), debitOf(30, "card_fund"));
  const [{ day } = { day: "" }] = await sql()<{ day: string }[]>`select day from daily_figures where merchant_id = ${merchantId}`;
  // An uncommitted row of the same key stops the sweep in the middle of its transaction, under the lock.
  await sql()
    .begin(async (tx) => {
      await tx`insert into daily_figures values (${merchantId}, ${day}, 'wallet', 'card_fund', 1, 1)`;
      const stopped = sweep();
      await until(isLockAwaited);
      await sql()`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(await stopped).toBe(0);
      throw new Error("roll back");
    })
    .catch((error: Error) => expect(error.message).toBe("roll back"));
  expect(await countedLines(merchantId)).toEqual(before);
  expect(await cursorOf(merchantId)).toEqual(cursor);
  expect(await sweep()).toBe(2);
  expect(await countedLines(merchantId)).toEqual(await expectedLines(merchantId));
  await expectInvariantsToHold();
});

test("a merchant whose cursor another worker has locked is left to that worker, and the others are counted", async () => {
  const [busy, other] = [await aWallet(100n), await aWallet(100n)];
  await sweep();
  await Promise.all([busy, other].map((merchantId) => post(merchantId, creditOf(1))));
  await sql().begin(async (tx) => {
    await tx`select 1 from figure_cursors where merchant_id = ${busy} for update`;
    expect(await sweep()).toBe(1);
  });
  expect(await sweep()).toBe(1);
  for (const merchantId of [busy, other]) expect(await countedLines(merchantId)).toEqual(await expectedLines(merchantId));
});

test("a merchant whose figures cannot be stored delays no other", async () => {
  const [broken, sound] = [await aWallet(100n), await aWallet(100n)];
  await sql()`alter table daily_figures add constraint broken check (merchant_id <> ${sql().unsafe(`'${broken}'`)}) not valid`;
  expect(await sweep()).toBe(1);
  expect(await countedLines(sound)).toEqual(await expectedLines(sound));
  expect(await cursorOf(broken)).toBeUndefined();
  await sql()`alter table daily_figures drop constraint broken`;
  expect(await sweep()).toBe(1);
  expect(await countedLines(broken)).toEqual(await expectedLines(broken));
});

test("sweeps that process two merchants each reach all merchants in the end", async () => {
  const merchantIds = await Promise.all(times(5, () => aWallet(100n)));
  const [{ merchants = 0n } = {}] = await sql()<{ merchants: bigint }[]>`select count(*) as merchants from event_counters`;
  let counted = 0;
  for (let n = 0; n <= Number(merchants) / 2; n++) counted += await sweep(2);
  expect(counted).toBe(5);
  for (const merchantId of merchantIds) expect(await countedLines(merchantId)).toEqual(await expectedLines(merchantId));
});

test("a sweep counts a backlog that is longer than one transaction takes", async () => {
  const merchantId = await aWallet();
  await creditKobo(merchantId, 4_500);
  expect(await sweep()).toBe(4_500);
  expect((await countedLines(merchantId)).map((line) => line.slice(11))).toEqual(["wallet adjustment 4500 4500"]);
  expect(await sweep()).toBe(0);
  await expectInvariantsToHold();
});
