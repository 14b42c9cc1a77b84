import { expect } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { expectInvariantsToHold } from "#testing/database.ts";
import { systemContext } from "../../context.ts";
import type { TestMerchant } from "../../merchants/merchant.fixture.ts";
import { eventTypesOf, walletOf } from "../checkout.fixture.ts";
import { getLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";
import { readDueAccounts } from "./read-accounts.ts";

// For links of live mode at a simulated bank.

/** The content of a notice, and the headers that sign it. */
interface SignedNotice {
  headers: Record<string, string>;
  body: string;
}

/** Sends a notice to the app, as the bank does. */
export const postTo = (url: string, { headers, body }: SignedNotice): Promise<Response> => fetch(url, { method: "POST", headers, body });

export function lastOf<T>(notices: readonly T[]): T {
  const notice = notices.at(-1);
  if (!notice) throw new Error("there is no notice");
  return notice;
}

export const makeDue = ({ id }: PaymentLink) =>
  sql()`update one_time_accounts set next_read_at = now() - interval '1 s' where link_id = ${id}`;

/** Reads the account of a link at its bank now. */
export async function readAgain(link: PaymentLink): Promise<void> {
  await makeDue(link);
  await readDueAccounts(systemContext("test"));
}

/** Returns the types of a merchant's alerts, the oldest first. */
export const alertsOf = async (merchantId: string): Promise<string[]> =>
  (await sql()<{ type: string }[]>`select type from alerts where merchant_id = ${merchantId} order by id`).map(({ type }) => type);

/** Expects that ₦5,000 have paid a link, the only one of its merchant. */
export async function expectPaidOnce(shop: TestMerchant, { reference }: PaymentLink): Promise<void> {
  expect(await getLinkByReference(shop.ctx, reference)).toMatchObject({
    status: "success",
    transfers: [{ classification: "exact", disposition: "accepted", amount: naira(5_000) }],
  });
  expect(await walletOf(shop)).toEqual(naira(5_000));
  expect((await eventTypesOf(shop)).filter((type) => type === "checkout.success")).toHaveLength(1);
  await expectInvariantsToHold();
}
