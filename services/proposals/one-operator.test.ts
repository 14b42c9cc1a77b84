import { beforeEach, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../context.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import { anOperatorNamed, type TestOperator } from "../operators/operators.fixture.ts";
import { aVtuMerchant, currentRow, DELIVERED, settleAsRead, walletOf } from "../vtu/vtu.fixture.ts";
import { endDueProposals, getProposal, refuse } from "./index.ts";
import { aSettlement, letProposalAge, statusOf } from "./proposals.fixture.ts";

withDatabase(undefined, { OJA_SINGLE_OPERATOR: "1" });
withApp();

const system = systemContext("test");
let ada: TestOperator;
let shop: TestMerchant;
beforeEach(async () => {
  await sql()`delete from members where business_id = 'biz_platform'`;
  ada = await anOperatorNamed({ role: "owner" });
  shop = await aVtuMerchant();
});

test("a proposal is carried out a day later, once, and the audit says that one person decided", async () => {
  const { id, purchase } = await aSettlement(shop, ada.ctx);
  await letProposalAge(id, 23);
  expect(await endDueProposals(system)).toBe(0);
  await letProposalAge(id, 1);
  await Promise.all(times(3, () => endDueProposals(system)));
  expect(await statusOf(purchase)).toBe("failed");
  expect((await walletOf(shop.merchant.id)).held).toBe(0n);
  expect(await getProposal(ada.ctx, id)).toMatchObject({ state: "carried_out", isAlone: true, decidedBy: null });
  const [entry] = await sql()`select after from audit_entries where action = 'proposal.carried_out' and subject = ${id}`;
  expect(entry?.after).toMatchObject({ alone: true, proposed_by: ada.userId });
  await expectInvariantsToHold();
});

test("a cancelled proposal is not carried out", async () => {
  const { id, purchase } = await aSettlement(shop, ada.ctx);
  await letProposalAge(id, 25);
  await refuse(ada.ctx, id, "A slip.");
  expect(await endDueProposals(system)).toBe(0);
  expect(await statusOf(purchase)).toBe("processing");
});

test("a proposal whose conditions have changed is not carried out, and operators are told once", async () => {
  const { id, purchase } = await aSettlement(shop, ada.ctx);
  await settleAsRead(await currentRow({ merchantId: shop.merchant.id, id: purchase }), DELIVERED);
  await letProposalAge(id, 25);
  for (const _ of [1, 2]) expect(await endDueProposals(system)).toBe(0);
  expect(await statusOf(purchase)).toBe("success");
  expect(await sql()`select from alerts where type = 'proposal.failed' and resource_id = ${id}`).toHaveLength(1);
});

test("a proposal is not carried out alone while another operator decides, and neither is one whose proposer may not decide now", async () => {
  const { id, purchase } = await aSettlement(shop, ada.ctx);
  await letProposalAge(id, 25);
  const bisi = await anOperatorNamed();
  expect(await endDueProposals(system)).toBe(0);
  await sql()`delete from members where user_id = ${bisi.userId}`;
  await sql()`update users set restricted_until = now() + interval '1 h' where id = ${ada.userId}`;
  expect(await endDueProposals(system)).toBe(0);
  expect(await statusOf(purchase)).toBe("processing");
  await sql()`update users set restricted_until = null where id = ${ada.userId}`;
  expect(await endDueProposals(system)).toBe(1);
  expect(await statusOf(purchase)).toBe("failed");
});

test("a hundred proposals that cannot be carried out do not keep the next one", async () => {
  await sql()`
    insert into proposals (id, kind, merchant_id, subject, payload, reason, proposed_by, created_at, expires_at)
    select 'prp_0' || lpad(n::text, 3, '0'), 'gone', 'mer_platform_live', n::text, '{}', 'x', ${ada.userId}, now() - interval '25 h', now() + interval '1 h'
    from generate_series(1, 100) n`;
  const { id, purchase } = await aSettlement(shop, ada.ctx);
  await letProposalAge(id, 25);
  expect(await endDueProposals(system)).toBe(1);
  expect(await statusOf(purchase)).toBe("failed");
});
