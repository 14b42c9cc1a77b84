import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { newLinkReference } from "#lib/references.ts";
import type { AccountOutcome, Bank } from "#providers/bank.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withMonnify } from "#testing/providers/monnify/simulator.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { withSquad } from "#testing/providers/squad/simulator.ts";
import { times, until } from "#testing/until.ts";
import { setFallbackBanks } from "../../merchants/index.ts";
import { aLiveMerchant, anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { banks } from "../../providers/index.ts";
import { isBankDown } from "../bank-health.ts";
import { aLink, walletOf } from "../checkout.fixture.ts";

// A live merchant whose own bank is Paystack.
const paystack = withPaystack();
const squad = withSquad();
const monnify = withMonnify();
withDatabase();
const app = withApp();

const REFUSED: AccountOutcome = { status: "refused", reason: "The bank could not be reached." };
const UNKNOWN: AccountOutcome = { status: "unknown" };
let shop: TestMerchant;
beforeEach(async () => {
  shop = await aLiveMerchant({ bank: "paystack" });
  squad.noticeUrl = `${app.url}/api/providers/squad/notices`;
  for (const bank of [paystack, squad, monnify]) bank.wire.requests.splice(0);
  await sql()`delete from bank_health`;
  await until(async () => !(await isBankDown("paystack")) && !(await isBankDown("squad")));
});

const fallBackOn = (...names: string[]) => setFallbackBanks(anOperator, shop.merchant.id, names);
/** Lets banks answer openings like this until the test is over. Returns the names of those that are asked, in order. */
function answer(outcomes: Record<string, AccountOutcome>): string[] {
  const asked: string[] = [];
  const made = banks.named.bind(banks);
  const named = vi.spyOn(banks, "named").mockImplementation((name) => {
    const bank = made(name);
    if (!bank) return undefined;
    const openAccount: Bank["openAccount"] = async (request) => {
      asked.push(name);
      return outcomes[name] ?? bank.openAccount(request);
    };
    return { ...bank, openAccount };
  });
  onTestFinished(() => named.mockRestore());
  return asked;
}
async function setDown(...names: string[]): Promise<void> {
  for (const name of names)
    await sql()`insert into bank_health (provider, failures, down_since, next_check_at) values (${name}, 2, now(), now() + interval '1 min')`;
  await until(async () => (await Promise.all(names.map(isBankDown))).every(Boolean));
}
const providerOf = async ({ id }: { id: string }) => (await sql()`select provider from payment_links where id = ${id}`)[0]?.provider;

test("a link gets its account from the next bank where its own refuses, is paid there, and its money is the merchant's", async () => {
  await fallBackOn("squad", "monnify");
  const asked = answer({ paystack: REFUSED });
  const link = await aLink(shop);
  expect(asked).toEqual(["paystack", "squad"]);
  expect(await providerOf(link)).toBe("squad");
  await squad.pay(link.accountNumber, 500_000);
  expect(await walletOf(shop)).toEqual(naira(5_000));
  await expectInvariantsToHold();
});

test("a bank that is known to be down is not asked, and neither is the next one that is", async () => {
  await fallBackOn("squad", "monnify");
  await setDown("paystack", "squad");
  const asked = answer({});
  expect(await providerOf(await aLink(shop))).toBe("monnify");
  expect(asked).toEqual(["monnify"]);
});

test("where all are down or refuse, the merchant's own bank has the last word, and no link is made", async () => {
  await fallBackOn("squad", "monnify");
  await setDown("paystack", "squad");
  const asked = answer({ paystack: REFUSED, monnify: REFUSED });
  await expect(aLink(shop)).rejects.toMatchObject({ code: "PROVIDER_ERROR", outcome: "not_executed" });
  expect(asked).toEqual(["monnify", "paystack"]);
  expect(await sql()`select from payment_links where merchant_id = ${shop.merchant.id}`).toHaveLength(0);
});

test.each([
  ["its own bank", { paystack: UNKNOWN }, ["paystack"]],
  ["the next bank", { paystack: REFUSED, squad: UNKNOWN }, ["paystack", "squad"]],
])("no other bank is asked where the opening at %s is unknown", async (_, outcomes, expected) => {
  await fallBackOn("squad", "monnify");
  const asked = answer(outcomes);
  await expect(aLink(shop)).rejects.toMatchObject({ code: "PROVIDER_ERROR", outcome: "unknown" });
  expect(asked).toEqual(expected);
});

test("a request that is tried again asks its own bank alone, five times at once, and makes one link", async () => {
  await fallBackOn("squad");
  const reference = newLinkReference(shop.merchant.number);
  const again = { ...shop, ctx: { ...shop.ctx, resourceId: reference, resumed: true } };
  const refused = answer({ paystack: REFUSED });
  await expect(aLink(again)).rejects.toMatchObject({ outcome: "not_executed" });
  expect(refused).toEqual(["paystack"]);
  vi.restoreAllMocks();
  const links = await Promise.all(times(5, () => aLink(again)));
  expect(new Set(links.map(({ accountNumber }) => accountNumber)).size).toBe(1);
  expect(squad.wire.requests).toEqual([]);
});

test("a bank is left out that cannot serve the amount, is the merchant's own, or whose settings are gone", async () => {
  await fallBackOn("paystack", "squad", "monnify");
  const made = banks.named.bind(banks);
  const asked: string[] = [];
  const named = vi.spyOn(banks, "named").mockImplementation((name) => {
    const bank = made(name);
    if (!bank || name === "monnify") return undefined;
    const capabilities = name === "squad" ? { ...bank.capabilities, amount: { min: naira(100), max: naira(4_999) } } : bank.capabilities;
    const openAccount = async () => {
      asked.push(name);
      return REFUSED;
    };
    return { ...bank, capabilities, openAccount };
  });
  onTestFinished(() => named.mockRestore());
  await expect(aLink(shop)).rejects.toMatchObject({ outcome: "not_executed" });
  expect(asked).toEqual(["paystack"]);
});

test("a merchant without a list, or whose own bank answers, uses its own bank alone", async () => {
  const asked = answer({ paystack: REFUSED });
  await expect(aLink(shop)).rejects.toMatchObject({ outcome: "not_executed" });
  vi.restoreAllMocks();
  await fallBackOn("squad");
  expect(await providerOf(await aLink(shop))).toBe("paystack");
  expect(asked).toEqual(["paystack"]);
  expect(squad.wire.requests).toEqual([]);
});

test("the list takes banks of the merchant's mode, each once and at most three, and is replaced as a whole and audited", async () => {
  for (const names of [["sandbox"], ["squad", "squad"], ["nobody"]])
    await expect(fallBackOn(...names)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(setFallbackBanks(anOperator, "mer_nobody", [])).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  await Promise.all(times(5, () => fallBackOn("squad", "monnify")));
  await fallBackOn("monnify");
  await fallBackOn();
  const entries =
    await sql()`select before, after from audit_entries where subject = ${shop.merchant.id} and action = 'fallback_banks.set' order by seq`;
  expect(entries).toEqual([
    { before: { banks: [] }, after: { banks: ["squad", "monnify"] } },
    { before: { banks: ["squad", "monnify"] }, after: { banks: ["monnify"] } },
    { before: { banks: ["monnify"] }, after: { banks: [] } },
  ]);
});
