import { z } from "zod";
import { createdRange, PageQuery } from "../page-query.ts";

const AREAS = ["checkout", "cards", "vtu", "payouts"] as const;

/**
 * The words for the states of all kinds. `processing`: not decided yet, as a link that can be paid or an authorization that is not cleared.
 * `completed`: it happened; a payment that the bank took back later is still completed, as its link is. `failed`: it did not happen, as a declined
 * payment. `expired`: a link that was not paid. `reversed`: it happened and was undone.
 */
export const TRANSACTION_STATES = ["processing", "completed", "failed", "expired", "reversed"] as const;

export type TransactionState = (typeof TRANSACTION_STATES)[number];

export const ListTransactionsQuery = PageQuery.extend({
  area: z.enum(AREAS, { error: `Send one of ${AREAS.join(", ")}.` }).optional(),
  state: z.enum(TRANSACTION_STATES, { error: `Send one of ${TRANSACTION_STATES.join(", ")}.` }).optional(),
  ...createdRange("Transactions"),
});

export type ListTransactionsQuery = z.output<typeof ListTransactionsQuery>;
