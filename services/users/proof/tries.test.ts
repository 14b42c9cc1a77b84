import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { purgeOldSignInTries } from "../index.ts";
import { type Attempt, attempt, countRequest, type Try } from "./tries.ts";

withDatabase();

let made = 0;
const aTry = (changes: Partial<Try> = {}): Try => {
  made++;
  return { email: `ada-${made}@shop.example`, address: `2001:db8:${made.toString(16)}::1`, device: null, ...changes };
};
const waitOf = (tried: Attempt) => (tried.status === "blocked" ? tried.waitSeconds : 0);
/** Lets the waits of all sources pass, as time would. */
const waitOut = () => sql()`update sign_in_failures set blocked_until = now() - interval '1 second'`;
const passTime = (hours: number) =>
  sql()`update sign_in_failures set last_failed_at = last_failed_at - ${hours} * interval '1 hour', blocked_until = now() - interval '1 second'`;
/** Fails as often as it may without waiting. Returns how often that was. */
async function failAtOnce(given: Try): Promise<number> {
  for (let tries = 0; ; tries++) if ((await attempt(given)).status === "blocked") return tries;
}

test("of 50 tries at once for an account no more are allowed than one after the other", async () => {
  const one = aTry();
  const allowed = await failAtOnce(one);
  const other = aTry();
  // Each from a network of its own, so that only the account counts.
  const tries = await Promise.all(times(50, (i) => attempt({ ...other, address: `2001:db8:ffff:${i.toString(16)}::1` })));
  expect(tries.filter(({ status }) => status === "allowed")).toHaveLength(allowed);
  expect(allowed).toBeGreaterThanOrEqual(5);
  expect(allowed).toBeLessThanOrEqual(8);
});

test("each failure after the free ones doubles the wait, up to 15 minutes and no further", async () => {
  const one = aTry();
  await failAtOnce(one);
  const waits: number[] = [];
  for (let i = 0; i < 14; i++) {
    await waitOut();
    // Each from a network of its own, so that only the account counts.
    const elsewhere = { ...one, address: `2001:db8:fffe:${i.toString(16)}::1` };
    expect((await attempt(elsewhere)).status).toBe("allowed");
    waits.push(waitOf(await attempt(elsewhere)));
  }
  expect(waits.slice(0, 5)).toEqual([4, 8, 16, 32, 64]);
  expect(Math.max(...waits)).toBe((15 * MINUTE_MS) / SECOND_MS);
  expect(waits.at(-1)).toBe((15 * MINUTE_MS) / SECOND_MS);
});

test("a success forgets the failures of the account", async () => {
  const one = aTry();
  const allowed = await failAtOnce(one);
  await waitOut();
  const tried = await attempt(one);
  if (tried.status === "allowed") await tried.succeed();
  expect(await failAtOnce(one)).toBe(allowed);
});

test("failures are forgotten after a day", async () => {
  const one = aTry();
  const allowed = await failAtOnce(one);
  await passTime(25);
  expect(await failAtOnce(one)).toBe(allowed);
});

test("failures of one account slow no other account of another network", async () => {
  await failAtOnce(aTry());
  expect((await attempt(aTry())).status).toBe("allowed");
});

test("a network that tries many accounts is slowed, and a success of its own does not clear its count", async () => {
  const address = "198.51.100.9";
  let blockedAfter = 0;
  while (waitOf(await attempt(aTry({ address }))) === 0) blockedAfter++;
  expect(blockedAfter).toBeGreaterThanOrEqual(30);
  await waitOut();
  const own = await attempt(aTry({ address }));
  if (own.status === "allowed") await own.succeed();
  // The success gave back its own try alone.
  await attempt(aTry({ address }));
  expect(waitOf(await attempt(aTry({ address })))).toBeGreaterThan(0);
  expect((await attempt(aTry({ address: "198.51.100.10" }))).status).toBe("allowed");
});

test("an IPv6 site of /48 is slowed after 300 failures from its networks, and a success gives back its own try alone", async () => {
  const inSite = (i: number) => aTry({ address: `2001:db8:77:${i.toString(16)}::1` });
  let allowed = 0;
  while (waitOf(await attempt(inSite(allowed))) === 0) allowed++;
  expect(allowed).toBe(301);
  expect((await attempt(aTry({ address: "2001:db8:78::1" }))).status).toBe("allowed");
  await waitOut();
  const own = await attempt(inSite(1_000));
  if (own.status === "allowed") await own.succeed();
  expect((await attempt(inSite(1_001))).status).toBe("allowed");
  expect(waitOf(await attempt(inSite(1_002)))).toBeGreaterThan(0);
});

test("a try that is taken back counts nowhere", async () => {
  await sql()`delete from sign_in_failures`;
  const one = aTry();
  await attempt(one);
  const before = await sql()`select source, failures from sign_in_failures order by source`;
  const tried = await attempt(one);
  if (tried.status === "allowed") await tried.uncount();
  expect(await sql()`select source, failures from sign_in_failures order by source`).toEqual(before);
});

test("25 tries of one network that end at once leave no failure", async () => {
  await sql()`delete from sign_in_failures`;
  const tries = await Promise.all(times(25, () => attempt(aTry({ address: "2001:db8:5::1" }))));
  await Promise.all(tries.map((tried, i) => tried.status === "allowed" && (i % 2 ? tried.succeed() : tried.uncount())));
  expect(await sql()`select 1 from sign_in_failures`).toEqual([]);
});

test("a try without an address is an error, because all of them would count as one network", async () => {
  await expect(attempt(aTry({ address: null }))).rejects.toThrow("must have an address");
  await expect(countRequest("sign_up", null)).rejects.toThrow("must have an address");
});

test("strangers who fail do not slow a device that has signed in before, and after 10 failures it counts as a stranger", async () => {
  const one = aTry();
  await failAtOnce(one);
  const device = { ...one, device: "a device" };
  const tries: Attempt[] = [];
  for (let i = 0; i < 10; i++) tries.push(await attempt(device));
  expect(tries.every(({ status }) => status === "allowed")).toBe(true);
  expect((await attempt(device)).status).toBe("blocked");
  expect((await attempt({ ...device, device: "another device" })).status).toBe("allowed");
});

test("the table names neither emails nor addresses", async () => {
  const one = aTry({ address: "203.0.113.77" });
  await attempt(one);
  const rows = JSON.stringify(await sql()`select * from sign_in_failures`);
  expect(rows).not.toContain(one.email);
  expect(rows).not.toContain("203.0.113.77");
});

test("failures that no longer count are deleted after two days, and no younger ones", async () => {
  const [old, young] = [aTry(), aTry()];
  await sql()`delete from sign_in_failures`;
  await attempt(old);
  await passTime(49);
  await attempt(young);
  // Each try counts for its account, its network and its site.
  expect(await purgeOldSignInTries(systemContext("test"))).toBe(3);
  const [left] = await sql()<{ n: number }[]>`select count(*)::int as n from sign_in_failures`;
  expect(left?.n).toBe(3);
});

test("tries that begin and are taken back while others do leave no failure", async () => {
  await sql()`delete from sign_in_failures`;
  for (let round = 0; round < 150; round++) {
    const one = aTry();
    await Promise.all(
      times(4, async () => {
        const tried = await attempt(one);
        if (tried.status === "blocked") expect.fail("blocked");
        await tried.uncount();
      }),
    );
  }
  expect(await sql()`select failures from sign_in_failures`).toEqual([]);
});
