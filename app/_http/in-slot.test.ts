import { expect, test } from "vitest";
import type { MerchantContext } from "#services/context.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { inSlot } from "./in-slot.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "4" });
const { signal } = new AbortController();

test("of a merchant's 515 requests three are at work, the next is refused with Retry-After, and other merchants are served", async () => {
  const [{ ctx: loud }, { ctx: quiet }] = [await aMerchant(), await aMerchant()];
  const held = Promise.withResolvers<void>();
  let atWork = 0;
  const work = async () => {
    atWork++;
    await held.promise;
  };
  const requests = times(515, () => inSlot(loud, signal, work));
  await expect(inSlot(loud, signal, work)).rejects.toMatchObject({ code: "RATE_LIMITED", headers: { "Retry-After": "1" } });
  expect(atWork).toBe(3);
  expect(await inSlot(quiet, signal, async () => "served")).toBe("served");
  held.resolve();
  await Promise.all(requests);
  expect(atWork).toBe(515);
});

test("a member's click precedes the requests of the merchant's servers that wait", async () => {
  const { ctx: server } = await aMerchant();
  const member: MerchantContext = { ...server, actor: { type: "member", id: "usr_x" } };
  const order: string[] = [];
  const requests = times(6, (i) => inSlot(server, signal, async () => order.push(`server ${i}`)));
  const click = inSlot(member, signal, async () => order.push("click"));
  await Promise.all([...requests, click]);
  expect(order.indexOf("click")).toBe(3);
});
