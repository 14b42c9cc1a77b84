import { sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { type Money, money, naira } from "#lib/money.ts";
import { Problem } from "#lib/problem.ts";
import { lagosDay } from "#lib/time.ts";
import { raiseAlert } from "../../alerts/index.ts";
import type { Merchant, MerchantContext, SystemContext } from "../../context.ts";
import { readMerchantsOf } from "../../merchants/index.ts";
import { payoutBanks } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { MIN_PAYOUT } from "../contract.ts";
import type { PayoutRules } from "../payout-rules.ts";
import { feeOfPayout } from "../rules/fees.ts";
import { readLimits } from "../rules/limits.ts";
import { readPayable } from "../rules/payable.ts";
import { readRules } from "../rules/read-rules.ts";
import { sentToday } from "./claim-payout.ts";
import { createPayout } from "./create-payout.ts";

/**
 * Pays out the wallets whose business wants that each day, or on Mondays each week, above its reserve, once for a day in Lagos. No more than one person
 * may still pay out alone on that day, and no more than the limits of the day leave. Returns how many payouts were made.
 */
export const payOutAutomatically = verb({ actor: ["system"] }, async (ctx: SystemContext, now: Date = new Date()): Promise<number> => {
  const day = lagosDay(now);
  let made = 0;
  for (const id of await merchantsWithAutomatic(isMonday(day))) {
    // Read one by one, because a merchant may be suspended, or get another bank, while others are paid.
    const [merchant] = await readMerchantsOf([id]);
    if (merchant?.status === "active" && (await payOrAlert({ ...ctx, merchant }, day))) made++;
  }
  return made;
});

const isMonday = (day: string): boolean => new Date(`${day}T12:00:00Z`).getUTCDay() === 1;

/** Returns the ids of the merchants whose rules in force have an automatic payout today. */
async function merchantsWithAutomatic(withWeekly: boolean): Promise<string[]> {
  const rows = await db().execute<{ merchant_id: string }>(sql`
    select /* of all merchants */ merchant_id from (
      select distinct on (merchant_id) merchant_id, automatic from payout_rules where valid_from <= now() order by merchant_id, valid_from desc
    ) r where automatic = 'day' or (automatic = 'week' and ${withWeekly}) order by merchant_id`);
  return rows.map(({ merchant_id }) => merchant_id);
}

/** Makes a merchant's automatic payout of a day. Returns whether one was made. A refusal is told to the merchant, and delays no other merchant. */
async function payOrAlert(ctx: SystemContext & { merchant: Merchant }, day: string): Promise<boolean> {
  const { id } = ctx.merchant;
  try {
    const rules = await readRules(db(), id);
    const amount = await amountFor(ctx, rules);
    if (!amount || rules.automaticAccountId === null || (await isMade(id, day))) return false;
    const ofDay = { narration: "Automatic payout", automaticFor: day, byRulesOf: rules.validFrom };
    await createPayout(ctx, { bankAccountId: rules.automaticAccountId, amount, ...ofDay });
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) {
      log().error({ merchantId: id, err: error }, "an automatic payout could not be made");
      return false;
    }
    const message = `The automatic payout of ${day} was not made: ${error.message}`;
    await raiseAlert(db(), id, { type: "payout.failed", resourceId: id, cause: `automatic:${day}`, message });
    return false;
  }
}

async function isMade(merchantId: string, day: string): Promise<boolean> {
  const [row] = await db().execute(sql`select 1 from payouts where merchant_id = ${merchantId} and automatic_for = ${day}`);
  return row !== undefined;
}

function least(amounts: [bigint, ...bigint[]]): bigint {
  const [first, ...others] = amounts;
  let lowest = first;
  for (const each of others) if (each < lowest) lowest = each;
  return lowest;
}

/** Returns the Naira to pay out, or undefined where that is less than the least payout. */
async function amountFor({ merchant }: Pick<MerchantContext, "merchant">, rules: PayoutRules): Promise<Money | undefined> {
  const { min, max } = payoutBanks.for(merchant).capabilities.amount;
  const limits = await readLimits(db(), merchant);
  const { payable } = await readPayable(db(), merchant, limits);
  const sent = await sentToday(db(), merchant.id);
  const own = rules.maxAmount ? [rules.maxAmount.minor] : [];
  const alone = rules.twoPeopleAbove ? [rules.twoPeopleAbove.minor - sent.byOne.minor] : [];
  const ofDay = [limits.maxADay, rules.maxADay].flatMap((limit) => (limit ? [limit.minor - sent.all.minor] : []));
  const free = payable.minor - rules.automaticReserve.minor;
  const most = money(least([free, max.minor, limits.maxAmount.minor, ...own, ...alone, ...ofDay]), "NGN");
  if (most.minor < naira(MIN_PAYOUT).minor) return undefined;
  // The fee is paid from the same money. That of the whole is at least that of a part.
  const { minor: fee } = await feeOfPayout(db(), merchant, most);
  const amount = money(least([most.minor, free - fee]), "NGN");
  return amount.minor < naira(MIN_PAYOUT).minor || amount.minor < min.minor ? undefined : amount;
}
