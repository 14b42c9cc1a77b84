import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isLockAwaited, lockWaiters } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { checkAudit } from "../audit/index.ts";
import { type OperatorContext, systemContext } from "../context.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import { removeOperator } from "../operators/index.ts";
import { anOperatorNamed, type TestOperator } from "../operators/operators.fixture.ts";
import { aPersonWithCodes } from "../users/factors/two-factor.fixture.ts";
import { aMeter, aVtuMerchant, currentRow, DELIVERED, settleAsRead, walletOf } from "../vtu/vtu.fixture.ts";
import { approve, endDueProposals, getProposal, listProposals, propose, refuse } from "./index.ts";
import { aPurchase, aSettlement, letProposalAge, statusOf } from "./proposals.fixture.ts";

withDatabase();
withApp();

let ada: TestOperator;
let bisi: TestOperator;
let shop: TestMerchant;
beforeEach(async () => {
  [ada, bisi] = [await anOperatorNamed({ role: "owner" }), await anOperatorNamed()];
  shop = await aVtuMerchant();
});

const system = systemContext("test");
const aProposal = (by: OperatorContext = ada.ctx) => aSettlement(shop, by);

describe("a proposal", () => {
  test("changes nothing until another operator approves it, and then does it once, in the words of both", async () => {
    const { id, purchase, text, state } = await aProposal();
    expect(text).toContain(purchase);
    expect([state, await statusOf(purchase)]).toEqual(["open", "processing"]);
    expect((await walletOf(shop.merchant.id)).held).toBe(50_000n);
    const results = await Promise.allSettled([...times(3, () => approve(bisi.ctx, id)), approve((await anOperatorNamed()).ctx, id)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await statusOf(purchase)).toBe("failed");
    expect((await walletOf(shop.merchant.id)).held).toBe(0n);
    const [entry] =
      await sql()`select actor_type, reason, after from audit_entries where action = 'purchase.settled' and subject = ${purchase}`;
    expect(entry).toMatchObject({
      actor_type: "operator",
      reason: "The aggregator says so.",
      after: { proposal: id, proposed_by: ada.userId },
    });
    expect(await getProposal(bisi.ctx, id)).toMatchObject({ state: "carried_out", isAlone: false });
    await expectInvariantsToHold();
    expect((await checkAudit(system, {})).findings).toEqual([]);
  });

  test("is not approved by who made it: not by the verb, and not by SQL", async () => {
    const { id, purchase } = await aProposal();
    await expect(approve(ada.ctx, id)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    const byHand = (decidedBy: string | null, alone: boolean) =>
      sql()`update proposals set state = 'carried_out', decided_by = ${decidedBy}, decided_at = now(), is_alone = ${alone} where id = ${id}`;
    await expect(byHand(ada.userId, false)).rejects.toThrow("proposals_two_people");
    await expect(byHand(null, false)).rejects.toThrow("proposals_two_people");
    await expect(byHand(null, true)).rejects.toThrow("proposals_two_people");
    expect(await statusOf(purchase)).toBe("processing");
  });

  test("is kept as it was made and as it was decided", async () => {
    const { id } = await aProposal();
    await expect(sql()`update proposals set payload = '{}' where id = ${id}`).rejects.toThrow("as it was made");
    await expect(sql()`update proposals set proposed_by = ${bisi.userId} where id = ${id}`).rejects.toThrow("as it was made");
    await refuse(bisi.ctx, id, "Not so.");
    await expect(sql()`update proposals set state = 'open', decided_at = null, decided_by = null where id = ${id}`).rejects.toThrow(
      "is decided",
    );
    await expect(sql()`delete from proposals where id = ${id}`).rejects.toThrow("are kept");
    await expect(sql()`truncate proposals`).rejects.toThrow("are kept");
  });

  test("is refused by another operator, or cancelled by its own, and is then not approved", async () => {
    const [refused, cancelled] = [await aProposal(), await aProposal()];
    expect(await refuse(bisi.ctx, refused.id, "Not so.")).toMatchObject({ state: "refused", decisionReason: "Not so." });
    expect(await refuse(ada.ctx, cancelled.id, "A slip.")).toMatchObject({ state: "cancelled" });
    for (const { id, purchase } of [refused, cancelled]) {
      await expect(approve(bisi.ctx, id)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
      expect(await statusOf(purchase)).toBe("processing");
    }
  });

  test("whose conditions have changed is not carried out, and stays open", async () => {
    const { id, purchase } = await aProposal();
    // The provider decides a moment before.
    await settleAsRead(await currentRow({ merchantId: shop.merchant.id, id: purchase }), DELIVERED);
    await expect(approve(bisi.ctx, id)).rejects.toThrow("no purchase that is undecided");
    // Nor in another state that could be decided too.
    await sql()`update purchases set corrections = 9 where id = ${purchase}`;
    await expect(approve(bisi.ctx, id)).rejects.toThrow("is success, contradicted 9 times by now, not processing");
    await sql()`update purchases set corrections = 0 where id = ${purchase}`;
    expect((await getProposal(ada.ctx, id)).state).toBe("open");
    expect(await statusOf(purchase)).toBe("success");
  });

  test("about nothing is not made, and says why", async () => {
    const about = (transfer: string) => propose(ada.ctx, { kind: "suspense.return", payload: { transfer }, reason: "x" });
    await expect(about("btr_none")).rejects.toThrow("btr_none is no unmatched transfer");
    const settled = await aPurchase(shop);
    await settleAsRead(await currentRow({ merchantId: shop.merchant.id, id: settled }), DELIVERED);
    const payload = { purchase: settled, outcome: "failed", evidence: "Ticket 41" } as const;
    await expect(propose(ada.ctx, { kind: "purchase.settle", payload, reason: "x" })).rejects.toThrow("no purchase that is undecided");
    expect((await listProposals(ada.ctx)).open.filter(({ proposedBy }) => proposedBy === ada.userId)).toEqual([]);
  });

  test("is made once, however often it is proposed at once", async () => {
    const purchase = await aPurchase(shop);
    const made = await Promise.allSettled(
      times(5, () =>
        propose(ada.ctx, {
          kind: "purchase.settle",
          payload: { purchase, outcome: "failed", evidence: "Ticket 41" },
          reason: "It says so.",
        }),
      ),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await listProposals(ada.ctx)).open.filter(({ text }) => text.includes(purchase))).toHaveLength(1);
  });

  test("of a delivery keeps its tokens sealed until it is decided, and shows them to nobody", async () => {
    const purchase = await aPurchase(shop, { service: "electricity", variant: "Prepaid", recipient: aMeter() });
    const token = "12345678901234567890";
    const { id } = await propose(ada.ctx, {
      kind: "purchase.settle",
      payload: { purchase, outcome: "delivered", evidence: "Ticket 42" },
      reason: "It says so.",
      secrets: { tokens: [token], pins: [] },
    });
    const row = JSON.stringify(await sql()`select * from proposals where id = ${id}`);
    expect(row).not.toContain(token);
    expect(JSON.stringify(await getProposal(bisi.ctx, id))).not.toContain(token);
    const sealed = async () => (await sql()`select sealed_secrets from proposals where id = ${id}`)[0]?.sealed_secrets;
    expect(await sealed()).toMatch(/^v1\./);
    await approve(bisi.ctx, id);
    expect(await statusOf(purchase)).toBe("success");
    expect(await sealed()).toBeNull();
    expect(await sql()`select from audit_entries where audit_entries::text like ${`%${token}%`}`).toEqual([]);
  });

  test("is one line that a terminal shows as it is, and names no token", async () => {
    const purchase = await aPurchase(shop);
    const make = (evidence: string, reason: string) =>
      propose(ada.ctx, { kind: "purchase.settle", payload: { purchase, outcome: "failed", evidence }, reason });
    for (const bad of ["T1\r\u001b[2KSettle another", "T1\nMerchant mer_other", "T1 \u202e1T", "1234 5678 9012 3456 7890"]) {
      await expect(make(bad, "x")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
      await expect(make("Ticket 41", bad)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    }
    const { id, text } = await make("Ticket 41", "x");
    expect(text).toBe(`Settle purchase ${purchase}, which is processing, as failed. Evidence: Ticket 41`);
    await expect(refuse(bisi.ctx, id, "1234-5678-9012-3456-7890")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("about operators is not approved by the person whom it is about, and one person has one of a kind", async () => {
    const [dayo, eve] = [await anOperatorNamed(), await anOperatorNamed({ role: "viewer" })];
    const add = (email: string) => propose(ada.ctx, { kind: "operator.add", payload: { email, role: "owner" }, reason: "She leads." });
    const rise = await add(dayo.email);
    await expect(add(dayo.email.toUpperCase())).rejects.toThrow("This is proposed already");
    await expect(approve(dayo.ctx, rise.id)).rejects.toThrow("Two others decide about this person");
    await expect(add(ada.email)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await approve(bisi.ctx, rise.id);
    expect(await sql()`select role from members where user_id = ${dayo.userId}`).toEqual([{ role: "owner" }]);
    await expect(approve(eve.ctx, rise.id)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("about a role names the present one, and does nothing once it is another", async () => {
    const dayo = await anOperatorNamed({ role: "viewer" });
    const payload = { email: dayo.email, role: "support" } as const;
    const { id, text } = await propose(ada.ctx, { kind: "operator.add", payload, reason: "She helps." });
    expect(text).toBe(`Make ${dayo.email}, who is viewer, an operator with the role support.`);
    await sql()`update members set role = 'admin' where user_id = ${dayo.userId}`;
    await expect(approve(bisi.ctx, id)).rejects.toThrow("is admin by now, not viewer");
    expect(await sql()`select role from members where user_id = ${dayo.userId}`).toEqual([{ role: "admin" }]);
  });

  test("of two operators about each other, approved at once, makes no deadlock", async () => {
    const people = [await aPersonWithCodes(), await aPersonWithCodes()];
    const operators: OperatorContext[] = [];
    for (const { ctx } of people) {
      await sql()`insert into members (business_id, user_id, role, decides_from) values ('biz_platform', ${ctx.actor.id}, 'owner', now())`;
      await sql()`update users set restricted_until = null where id = ${ctx.actor.id}`;
      operators.push({ actor: { type: "operator", id: ctx.actor.id }, role: "owner", requestId: null, address: null });
    }
    const resets = await Promise.all(
      people.map(({ email }) => propose(ada.ctx, { kind: "operator.reset_two_factor", payload: { email }, reason: "Lost." })),
    );
    const results = await Promise.allSettled(resets.map(({ id }, i) => approve(operators[1 - i] ?? ada.ctx, id)));
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(results.some(({ status }) => status === "fulfilled")).toBe(true);
  });

  test("waits for nobody who is removed meanwhile: the removal waits for the decision", async () => {
    const { id, purchase } = await aProposal();
    let approving: Promise<unknown> = Promise.resolve();
    let removing: Promise<unknown> = Promise.resolve();
    await sql().begin(async (tx) => {
      await tx`select from purchases where id = ${purchase} for update`;
      approving = approve(bisi.ctx, id);
      await until(isLockAwaited);
      let isRemoved = false;
      removing = removeOperator(ada.ctx, { email: bisi.email, reason: "Left." }).then(() => {
        isRemoved = true;
      });
      await until(async () => (await lockWaiters()) >= 2);
      expect(isRemoved).toBe(false);
    });
    await Promise.all([approving, removing]);
    expect(await statusOf(purchase)).toBe("failed");
    expect(await sql()`select from members where user_id = ${bisi.userId}`).toHaveLength(0);
  });

  test("is not carried out by itself, however few operators there are", async () => {
    const { id, purchase } = await aProposal();
    await sql()`delete from members where business_id = 'biz_platform' and user_id <> ${ada.userId}`;
    await letProposalAge(id, 25);
    expect(await endDueProposals(system)).toBe(0);
    expect(await statusOf(purchase)).toBe("processing");
  });

  test("that is too old can be proposed again at once", async () => {
    const { id, purchase } = await aProposal();
    await letProposalAge(id, 7 * 24 + 1);
    const again = await propose(ada.ctx, {
      kind: "purchase.settle",
      payload: { purchase, outcome: "failed", evidence: "Ticket 43" },
      reason: "Still so.",
    });
    expect((await getProposal(ada.ctx, id)).state).toBe("expired");
    expect(again.state).toBe("open");
  });

  test("that is a week old cannot be approved, and ends as expired", async () => {
    const { id } = await aProposal();
    await letProposalAge(id, 7 * 24 + 1);
    await expect(approve(bisi.ctx, id)).rejects.toThrow("expired");
    expect(await endDueProposals(system)).toBe(1);
    expect((await getProposal(ada.ctx, id)).state).toBe("expired");
  });

  test("of an operator who was removed is not carried out", async () => {
    const { id, purchase } = await aProposal(bisi.ctx);
    await removeOperator(ada.ctx, { email: bisi.email, reason: "Left." });
    await expect(approve(ada.ctx, id)).rejects.toThrow("does not decide any more");
    expect(await statusOf(purchase)).toBe("processing");
  });
});

describe("deciding", () => {
  test.each(["support", "viewer"] as const)("is not for the role %s, which may read proposals", async (role) => {
    const reader = await anOperatorNamed({ role });
    const { id } = await aProposal();
    await expect(approve(reader.ctx, id)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(aProposal(reader.ctx)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    // Neither where the context names a role that the database does not give.
    await expect(approve({ ...reader.ctx, role: "owner" }, id)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect((await getProposal(reader.ctx, id)).state).toBe("open");
  });

  test("is not for an operator who is new, or whose account was restricted a short time ago", async () => {
    const { id } = await aProposal();
    await sql()`update users set restricted_until = now() + interval '1 h' where id = ${bisi.userId}`;
    await expect(approve(bisi.ctx, id)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await sql()`update users set restricted_until = null where id = ${bisi.userId}`;
    await sql()`update members set decides_from = now() + interval '1 h' where user_id = ${bisi.userId}`;
    await expect(approve(bisi.ctx, id)).rejects.toThrow("You are new in this role");
    await expect(refuse(bisi.ctx, id, "Not so.")).rejects.toThrow("You are new in this role");
    await expect(aProposal(bisi.ctx)).rejects.toThrow("You are new in this role");
  });

  test("is not for the command line without a name", async () => {
    const { id } = await aProposal();
    const nobody: OperatorContext = { actor: { type: "cli", id: "operator" }, requestId: null, address: null };
    await expect(approve(nobody, id)).rejects.toThrow("was called by cli");
  });
});
