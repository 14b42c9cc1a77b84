import { expect, type Page } from "@playwright/test";
import { sql } from "#db/client.ts";
import { merchantOf } from "./cards.ts";
import { aMember, callAs, dashboard, ownIdsOf, untilAlive } from "./people.ts";

interface Paid {
  amount?: number;
  description?: string;
  email?: string;
  senderName?: string;
  senderAccount?: string;
}

/** Creates a link as the person who is signed in, and pays it as a test payer. Returns its reference. */
export async function aPaidLink(
  page: Page,
  { amount = 5_000, description = "Two bags of rice", email = "ngozi@example.com", senderName = "NGOZI EZE", senderAccount }: Paid = {},
): Promise<string> {
  const link = await callAs(page, "POST", "/api/v1/checkout/create", {
    amount,
    description,
    customer_name: "Ngozi Eze",
    customer_email: email,
  });
  const { reference } = link as unknown as { reference: string };
  const transfer = { sender_name: senderName, ...(senderAccount && { sender_account: senderAccount }) };
  await callAs(page, "POST", `/api/v1/test/checkout/${reference}/transfer`, transfer);
  return reference;
}

/** Signs a member up. Returns the id of the merchant of test mode. */
export const aRefunder = async (page: Page, business = "Ada's Kitchen"): Promise<string> => merchantOf(await aMember(page, business));

/** Puts a merchant's money at the second test bank, which refunds nothing and tells no payer. */
export const moveToPlainBank = (merchantId: string) =>
  sql()`update merchant_providers set provider = 'sandbox-plain' where merchant_id = ${merchantId} and kind = 'bank'`;

export async function openLink(page: Page, reference: string): Promise<void> {
  await page.goto(dashboard(`/test/links/${reference}`));
  await untilAlive(page);
}

export const refundsOf = (merchantId: string) =>
  sql()<{ id: string; status: string; amount: bigint }[]>`
    select id, status, amount from refunds where merchant_id = ${merchantId} order by id`;

/** Refunds Naira of a link by the endpoint of the dashboard. */
export async function refund(page: Page, reference: string, amount: number, reason?: string): Promise<void> {
  const { merchantId } = await ownIdsOf(page);
  const answer = await page.request.post(dashboard("/api/dashboard/refunds"), {
    data: { reference, amount, ...(reason && { reason }) },
    headers: {
      ...{ "Oja-Merchant": merchantId, "Idempotency-Key": `${reference}-${amount}` },
      ...{ Origin: new URL(dashboard()).origin, "Sec-Fetch-Site": "same-origin" },
    },
  });
  expect(answer.ok()).toBe(true);
}
