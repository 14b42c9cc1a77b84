import { expect, test } from "vitest";
import { aMember } from "#services/members/member.fixture.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import type { Context } from "../context.ts";
import { findSession, signOut } from "./index.ts";

withDatabase();

test("a session that ends while others read it is refused from then on in this process, and is not kept as open", async () => {
  const { merchant } = await aMerchant();
  for (let round = 0; round < 40; round++) {
    const { userId, sessionId, token } = await aMember(merchant.businessId, "owner");
    const ctx: Context = { actor: { type: "member", id: userId }, requestId: null, address: null };
    await Promise.all([...times(4, () => findSession(token)), signOut(ctx, sessionId), ...times(4, () => findSession(token))]);
    expect(await findSession(token)).toBeUndefined();
  }
});
