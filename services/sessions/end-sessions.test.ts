import { expect, test } from "vitest";
import { transaction } from "#db/client.ts";
import { ageSession, aMember } from "#services/members/member.fixture.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { outsideTransaction } from "#testing/outside-transaction.ts";
import { until } from "#testing/until.ts";
import type { Context } from "../context.ts";
import { endSessionsOf, findSession } from "./index.ts";

withDatabase();

test("a session that ends while it is read is refused from then on in this process, and is not kept as open", async () => {
  const member = await aMember((await aMerchant()).merchant.businessId, "owner");
  const { userId, token } = member;
  const ctx: Context = { actor: { type: "member", id: userId }, requestId: null, address: null };
  // A read that notes when the session was last seen waits for the transaction that ends it.
  await ageSession(member, 1);
  const { reading } = await transaction(async (tx) => {
    await endSessionsOf(tx, ctx, userId);
    const begun = outsideTransaction(() => findSession(token));
    await outsideTransaction(() => until(isLockAwaited));
    // An object, because an async function would wait for a promise that it returns.
    return { reading: begun };
  });
  await reading;
  expect(await findSession(token)).toBeUndefined();
});
