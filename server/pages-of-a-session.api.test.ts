import { expect, test } from "vitest";
import { SECOND_MS } from "#lib/time.ts";
import { aMember, tokenOfNewSession } from "#services/members/member.fixture.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";

withDatabase();
const app = withApp({ PUBLIC_REQUESTS_PER_SECOND: "1000000" }, { pages: true });

test("a session that opens 90 pages at once gets fifteen and five more a second, the others are refused with Retry-After, and another session of the person is not", async () => {
  const { merchant } = await aMerchant();
  const member = await aMember(merchant.businessId, "owner");
  const open = (token: string) => fetch(`${app.url}/test/settings`, { headers: { cookie: `oja-session=${token}` }, redirect: "manual" });
  const other = await tokenOfNewSession(member);
  const startedMs = performance.now();
  const [answers, theirs] = await Promise.all([
    Promise.all(times(90, () => open(member.token))),
    Promise.all(times(10, () => open(other))),
  ]);
  const elapsedMs = performance.now() - startedMs;
  const [served, refused] = [answers.filter(({ status }) => status === 200), answers.filter(({ status }) => status === 429)];
  expect(served.length + refused.length).toBe(90);
  expect(served.length).toBeGreaterThanOrEqual(15);
  expect(served.length).toBeLessThanOrEqual(16 + (5 * elapsedMs) / SECOND_MS);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(theirs.map(({ status }) => status)).toEqual(Array(10).fill(200));
});
