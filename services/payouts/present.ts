import type { z } from "zod";
import { toMajorNumber } from "#lib/money.ts";
import { isoOrNull } from "#lib/time.ts";
import { type BankAccount, maskedNumber } from "./bank-account.ts";
import type { BankAccountObject, PayoutObject, PayoutQuoteObject, PayoutRequestObject, PayoutRulesObject } from "./contract.ts";
import type { Payout, Quote } from "./payout.ts";
import type { PayoutRequest } from "./payout-request.ts";
import type { PayoutRules } from "./payout-rules.ts";

export const presentBankAccount = (account: BankAccount): z.output<typeof BankAccountObject> => ({
  id: account.id,
  bank_code: account.bankCode,
  bank_name: account.bankName,
  account_number: maskedNumber(account.accountNumber),
  account_name: account.accountName,
  status: account.state === "active" ? "active" : "pending",
  usable_at: account.usableAt.toISOString(),
  created_at: account.createdAt.toISOString(),
});

export const presentPayout = (payout: Payout): z.output<typeof PayoutObject> => ({
  id: payout.id,
  reference: payout.reference,
  amount: toMajorNumber(payout.amount),
  fee: toMajorNumber(payout.fee),
  total: toMajorNumber(payout.total),
  currency: "NGN",
  status: payout.status,
  bank_account: {
    id: payout.bankAccountId,
    bank_code: payout.bankCode,
    bank_name: payout.bankName,
    account_number: maskedNumber(payout.accountNumber),
    account_name: payout.accountName,
  },
  narration: payout.narration,
  metadata: payout.metadata,
  session_id: payout.sessionId,
  failure_reason: payout.failureReason,
  created_at: payout.createdAt.toISOString(),
  paid_at: isoOrNull(payout.paidAt),
});

const ARRIVES = "usually within minutes";

export const presentPayoutQuote = (quote: Quote): z.output<typeof PayoutQuoteObject> => ({
  amount: toMajorNumber(quote.amount),
  fee: toMajorNumber(quote.fee),
  total: toMajorNumber(quote.total),
  available_after: toMajorNumber(quote.availableAfter),
  payable: toMajorNumber(quote.payable),
  needs_second_person: quote.needsSecondPerson,
  arrives: ARRIVES,
});

export const presentPayoutRequest = (request: PayoutRequest): z.output<typeof PayoutRequestObject> => ({
  id: request.id,
  amount: toMajorNumber(request.amount),
  bank_account_id: request.bankAccountId,
  narration: request.narration,
  state: request.state,
  payout_id: request.payoutId,
  expires_at: request.expiresAt.toISOString(),
  created_at: request.createdAt.toISOString(),
});

const naira = (kobo: PayoutRules["maxAmount"]) => (kobo === null ? null : toMajorNumber(kobo));

export const presentPayoutRules = (rules: PayoutRules): z.output<typeof PayoutRulesObject> => ({
  max_amount: naira(rules.maxAmount),
  max_a_day: naira(rules.maxADay),
  two_people_above: naira(rules.twoPeopleAbove),
  automatic: rules.automatic,
  automatic_account_id: rules.automaticAccountId,
  automatic_reserve: toMajorNumber(rules.automaticReserve),
  valid_from: isoOrNull(rules.validFrom),
});
