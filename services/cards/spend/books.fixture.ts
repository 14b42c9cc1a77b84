import { expect } from "vitest";
import { expectInvariantsToHold } from "#testing/database.ts";
import { eventTypesOf, walletOf } from "../../checkout/checkout.fixture.ts";
import { systemContext } from "../../context.ts";
import type { TestMerchant } from "../../merchants/merchant.fixture.ts";
import { compareCards } from "../sync/compare-cards.ts";

/** Expects the cards of a merchant to be as their issuer has them, and the ledger to break no invariant. */
export async function expectBooksToAgree({ merchant }: TestMerchant): Promise<void> {
  const { differences, unread } = await compareCards(systemContext("test"), merchant.id);
  expect({ differences, unread }).toEqual({ differences: [], unread: 0 });
  await expectInvariantsToHold();
}

/** Returns the balance of a wallet, in kobo. */
export const koboIn = async (shop: TestMerchant): Promise<bigint> => (await walletOf(shop)).minor;

/** Returns how many events of a type a merchant has. */
export const countEvents = async (shop: TestMerchant, type: string): Promise<number> =>
  (await eventTypesOf(shop)).filter((each) => each === type).length;
