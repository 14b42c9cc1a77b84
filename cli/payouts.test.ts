import { expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { getPayoutFee } from "#services/payouts/index.ts";
import { aBankAccount, aClaimedPayout, aPayoutMerchant, currentRow } from "#services/payouts/payouts.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { withTwoOperators } from "./operators.fixture.ts";
import { createProgram } from "./program.ts";

withDatabase();
withApp();
const operators = withTwoOperators();

/** Runs a command. Returns what it printed. */
async function run(...words: string[]): Promise<string> {
  const printed: unknown[] = [];
  const spies = (["log", "table"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((text: unknown) => void printed.push(JSON.stringify(text))),
  );
  try {
    await createProgram().parseAsync(words, { from: "user" });
    return printed.join("\n");
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const BANKS_WORD = ["--evidence", "Ticket 4711", "--reason", "They checked."];

test("undecided payouts and accounts without a decision are listed, with account numbers masked", async () => {
  const shop = await aPayoutMerchant();
  expect(await run("payouts")).toContain("No payout is undecided");
  const payout = await aClaimedPayout(shop);
  await sql()`update payouts set created_at = created_at - interval '2 hours' where id = ${payout.id}`;
  const account = await aBankAccount(shop);
  await sql()`update bank_accounts set awaits_decision = true where id = ${account}`;
  const listed = await run("payouts");
  expect(listed).toContain(payout.id);
  expect(listed).toContain(account);
  expect(listed).not.toMatch(/\b\d{10}\b/);
});

test("a payout is settled as the bank said, and a second word about it, or about none, is refused with a reason", async () => {
  const payout = await aClaimedPayout(await aPayoutMerchant());
  const settle = (...words: string[]) => operators.decide(run, ...words, ...BANKS_WORD);
  expect(await settle("payout-settle", payout.id, "--outcome", "paid")).toContain(
    `Settle payout ${payout.id}, which is processing, as paid.`,
  );
  expect((await currentRow(payout)).status).toBe("paid");
  await expect(settle("payout-settle", payout.id, "--outcome", "failed")).rejects.toThrow("is paid by now, not processing");
  const ofPaid = ["payout-settle", payout.id, "--was", "paid", "--outcome"];
  await expect(settle(...ofPaid, "failed")).rejects.toThrow("cannot become failed");
  // Banks name a payout by its reference, in lower case.
  expect(await settle("payout-settle", payout.id.toLowerCase(), "--was", "paid", "--outcome", "reversed")).toContain("is carried out");
  expect((await currentRow(payout)).status).toBe("reversed");
  await expect(settle("payout-settle", "po_unknown", "--outcome", "paid")).rejects.toThrow("There is no payout");
});

test("an account is approved once, and nothing is decided about others", async () => {
  const account = await aBankAccount(await aPayoutMerchant());
  await expect(run("bank-account", account, "--decision", "approve", "--reason", "x")).rejects.toThrow("No bank account");
  await sql()`update bank_accounts set awaits_decision = true where id = ${account}`;
  expect(await run("bank-account", account, "--decision", "approve", "--reason", "The certificate has it.")).toContain("can be used");
});

test("fee and limits are set in Naira, percent and hours", async () => {
  const shop = await aPayoutMerchant();
  const { id } = shop.merchant;
  const fee = await run("set-payout-fee", id, "--flat", "25", "--percent", "0.15", "--minimum", "30", "--maximum", "2000.50");
  expect(fee).toContain("₦25.00 + 0.15 %, at least ₦30.00, at most ₦2,000.50");
  expect(await getPayoutFee(shop.ctx)).toEqual({ rule: { flat: 2_500n, bps: 15, minimum: 3_000n, maximum: 200_050n }, isOwn: true });
  const printed = await run("set-payout-limits", id, "--payout", "50000", "--day", "200000", "--delay-hours", "1.5");
  expect(printed).toContain("50,000");
  const [row] = await sql()`select max_amount, max_a_day, delay_ms from payout_limits where merchant_id = ${id}`;
  expect(row).toEqual({ max_amount: naira(50_000).minor, max_a_day: naira(200_000).minor, delay_ms: 5_400_000n });
  await expect(run("set-payout-fee", id, "--percent", "0.155")).rejects.toThrow();
  await expect(run("set-payout-limits", "mer_unknown", "--payout", "1", "--day", "1", "--delay-hours", "0")).rejects.toThrow();
});
