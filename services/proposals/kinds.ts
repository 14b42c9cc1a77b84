import { z } from "zod";
import { formatMoney, money } from "#lib/money.ts";
import { parsed } from "#lib/parsed.ts";
import { type ApprovedContext, NotCarriedOut } from "../approval.ts";
import { UNPRINTABLE } from "../audit/index.ts";
import { findMerchantOfItem, findMerchantOfOperation, readStateOfOperation, resolveItem, settleByOperator } from "../cards/index.ts";
import { findMerchantOfTransfer, recordRecall, settleRefundByOperator, settleReturn } from "../checkout/index.ts";
import { setRate, toRate } from "../exchange/index.ts";
import { findMerchantOf } from "../find-merchant-of.ts";
import { readBankToUnlock, unlockLive } from "../going-live/index.ts";
import { addOperator, OPERATOR_ROLES, readPresentRole } from "../operators/index.ts";
import { idOfReference, settlePayoutByOperator } from "../payouts/index.ts";
import { returnUnmatched } from "../suspense/index.ts";
import { normalEmail, resetTwoFactor } from "../users/index.ts";
import { readStateOfPurchase, settlePurchaseByOperator } from "../vtu/index.ts";

/** Acts about operators belong to this merchant. */
const PLATFORM_MERCHANT = "mer_platform_live";

/** One line that a terminal shows as it is: what an operator approves must be what they read. */
const line = (max: number, missing: string) =>
  z
    .string()
    .trim()
    .min(1, missing)
    .max(max)
    .refine((text) => !UNPRINTABLE.test(text), "Write one line, without control characters.");

const name = line(200, "Name it.");
const email = z.email().max(254).transform(normalEmail);

/** An act that takes two people: what it is about, how it is done, and its words. */
interface Kind<Schema extends z.ZodObject, Payload = z.output<Schema>> {
  payload: Schema;
  /** The id of the thing that it changes. One proposal of a kind about it is open. */
  subjectOf: (payload: Payload) => string;
  /** Returns the merchant of that thing. Undefined where there is no such thing. */
  merchantOf: (payload: Payload) => Promise<string | undefined>;
  /** Returns the state of the thing that is decided, to be kept in the payload as `was`: in another state it is not done. */
  stateOf?: (payload: Payload) => Promise<string | undefined>;
  /** Does it in the transaction of the approval. Returns false where it changes nothing, or throws `NotCarriedOut`. */
  carryOut: (ctx: ApprovedContext, payload: Payload, given: { reason: string; secrets: Secrets | null }) => Promise<boolean>;
  text: (payload: Payload) => string;
  /** Says why it may change nothing. */
  nothing: (payload: Payload) => string;
}

const Secrets = z.object({ tokens: z.array(z.string()), pins: z.array(z.object({ serial: z.string(), pin: z.string() })) });
/** The tokens or PINs of a delivery. They are sealed until it is decided, and shown to nobody. */
export type Secrets = z.output<typeof Secrets>;
export const secretsFrom = (text: string): Secrets => Secrets.parse(JSON.parse(text));

const kind = <Schema extends z.ZodObject>(given: Kind<Schema>): Kind<Schema> => given;

const BanksWord = z.strictObject({
  id: name.transform(idOfReference),
  was: z.enum(["processing", "paid", "failed", "reversed"]),
  outcome: z.enum(["paid", "failed", "reversed"]),
  evidence: line(200, "Say where the bank's word can be found."),
});

/** Returns the kind that settles a payout or refund by its bank's word. */
const settlesByWord = (thing: "payout" | "refund", settle: typeof settlePayoutByOperator | typeof settleRefundByOperator) =>
  kind({
    payload: BanksWord,
    subjectOf: ({ id }) => id,
    merchantOf: ({ id }) => findMerchantOf(id),
    carryOut: (ctx, { id, ...word }, { reason }) => settle(ctx, id, { ...word, reason }),
    text: ({ id, was, outcome, evidence }) => `Settle ${thing} ${id}, which is ${was}, as ${outcome}. Evidence: ${evidence}`,
    nothing: ({ id }) => `There is no ${thing} ${id}. See: npm run oja -- ${thing}s`,
  });

const Item = z.strictObject({ item: name });

/** Returns the kind that takes a difference with an issuer out of suspense. */
const resolvesItem = (resolution: "credit" | "dismiss", textOfItem: (item: string) => string) =>
  kind({
    payload: Item,
    subjectOf: ({ item }) => item,
    merchantOf: ({ item }) => findMerchantOfItem(item),
    carryOut: (ctx, { item }, { reason }) => resolveItem(ctx, item, resolution, reason),
    text: ({ item }) => textOfItem(item),
    nothing: ({ item }) =>
      `${item} cannot be resolved: it is no open difference with an issuer, or below zero, or something of its card may still explain it: an undecided operation, a re-check, or money that is not passed on yet. See: npm run oja -- suspense`,
  });

const Transfer = z.strictObject({ transfer: name });
const WAS = z.string().max(100).optional();
const cents = z.string().regex(/^\d{1,15}$/);
const naira = z.number().positive();

const WHOLE_MODES: Record<string, string> = {
  mer_platform_test: "all merchants of test mode",
  mer_platform_live: "all merchants of live mode",
};
const rateOf = (value: number): bigint => toRate(value) ?? 0n;

export const KINDS = {
  "purchase.settle": kind({
    payload: z.strictObject({
      purchase: name,
      outcome: z.enum(["delivered", "failed"]),
      evidence: line(500, "Say where the provider's word can be found."),
      was: WAS,
    }),
    stateOf: ({ purchase }) => readStateOfPurchase(purchase),
    subjectOf: ({ purchase }) => purchase,
    merchantOf: ({ purchase }) => findMerchantOf(purchase),
    carryOut: (ctx, { purchase, outcome, evidence, was }, { reason, secrets }) =>
      settlePurchaseByOperator(ctx, purchase, { outcome, evidence, reason, was, ...(secrets && { delivery: secrets }) }),
    text: ({ purchase, outcome, evidence, was }) =>
      `Settle purchase ${purchase}, which is ${was ?? "undecided"}, as ${outcome}. Evidence: ${evidence}`,
    nothing: ({ purchase }) =>
      `${purchase} is no purchase that is undecided, or that its provider has contradicted too often. See: npm run oja -- vtu-exceptions`,
  }),
  "card_operation.settle": kind({
    payload: z.strictObject({ operation: name, taken_cents: cents.nullable(), was: WAS }),
    stateOf: ({ operation }) => readStateOfOperation(operation),
    subjectOf: ({ operation }) => operation,
    merchantOf: ({ operation }) => findMerchantOfOperation(operation),
    carryOut: (ctx, { operation, taken_cents: taken, was }, { reason }) =>
      settleByOperator(ctx, operation, { taken: taken === null ? null : money(BigInt(taken), "USD"), reason, was }),
    text: ({ operation, taken_cents: taken, was }) =>
      `Settle card operation ${operation}, which is ${was ?? "undecided"}: ${taken === null ? "the issuer did not do it" : `it took ${formatMoney(money(BigInt(taken), "USD"))}`}.`,
    nothing: ({ operation }) =>
      `${operation} is not undecided, or --taken does not fit it: above zero, at most the amount of the unload, and of an ended card at most the dollars that its issuer kept.`,
  }),
  "payout.settle": settlesByWord("payout", settlePayoutByOperator),
  "refund.settle": settlesByWord("refund", settleRefundByOperator),
  "payment.recall": kind({
    payload: z.strictObject({ merchant: name, link: name, besides_refunds: z.boolean() }),
    subjectOf: ({ link }) => link,
    merchantOf: async ({ merchant }) => merchant,
    carryOut: (ctx, { merchant, link, besides_refunds: besidesRefunds }, { reason }) =>
      recordRecall(ctx, merchant, link, { reason, besidesRefunds }),
    text: ({ link, besides_refunds: besides }) =>
      `Book that the bank took the payment of link ${link} back${besides ? ", besides what our refunds sent back" : ""}.`,
    nothing: ({ merchant, link }) => `${merchant} has no link ${link}.`,
  }),
  "suspense.credit": resolvesItem("credit", (item) => `Give the difference ${item} to the merchant: its worth goes to the wallet.`),
  "suspense.dismiss": resolvesItem("dismiss", (item) => `Give the difference ${item} to the issuer.`),
  "suspense.return": kind({
    payload: Transfer,
    subjectOf: ({ transfer }) => transfer,
    merchantOf: ({ transfer }) => findMerchantOfTransfer(transfer),
    carryOut: (ctx, { transfer }, { reason }) => returnUnmatched(ctx, transfer, reason),
    text: ({ transfer }) => `Have the bank send the unmatched transfer ${transfer} back.`,
    nothing: ({ transfer }) => `${transfer} is no unmatched transfer. See: npm run oja -- suspense`,
  }),
  "suspense.settle": kind({
    payload: Transfer,
    subjectOf: ({ transfer }) => transfer,
    merchantOf: ({ transfer }) => findMerchantOfTransfer(transfer),
    carryOut: async (ctx, { transfer }, { reason }) => {
      const outcome = await settleReturn(ctx, transfer, reason);
      if (outcome === "may_come")
        throw new NotCarriedOut(
          `The bank may still send ${transfer} back. Wait until an alert says that it does not, and for a minute after it was asked.`,
        );
      return outcome === "settled";
    },
    text: ({ transfer }) => `Record that the transfer ${transfer} went back to its payer in another way.`,
    nothing: ({ transfer }) => `No bank owes ${transfer} to a payer. See: npm run oja -- suspense`,
  }),
  "live.unlock": kind({
    payload: z.strictObject({ merchant: name, was: WAS }),
    subjectOf: ({ merchant }) => merchant,
    merchantOf: async ({ merchant }) => merchant,
    stateOf: ({ merchant }) => readBankToUnlock(merchant),
    carryOut: (ctx, { merchant, was: bank }, { reason }) => unlockLive(ctx, merchant, reason, bank),
    text: ({ merchant, was: bank }) => `Open live mode for ${merchant}, whose bank is ${bank ?? "not chosen"}.`,
    nothing: ({ merchant }) => `Live mode of ${merchant} is open already.`,
  }),
  "rate.set": kind({
    payload: z.strictObject({
      merchant: name,
      buy: naira,
      mid: naira,
      sell: naira,
      valid_hours: z.number(),
      from: z.iso.datetime().nullable(),
    }),
    subjectOf: ({ merchant }) => merchant,
    merchantOf: async ({ merchant }) => merchant,
    carryOut: async (ctx, { merchant, buy, mid, sell, valid_hours: validForHours, from }) => {
      await setRate(ctx, merchant, {
        buy: rateOf(buy),
        mid: rateOf(mid),
        sell: rateOf(sell),
        validForHours,
        ...(from !== null && { from: new Date(from) }),
      });
      return true;
    },
    text: ({ merchant, buy, mid, sell, valid_hours: hours, from }) =>
      `Set the rate of ${WHOLE_MODES[merchant] ?? merchant} to buy / mid / sell ${buy} / ${mid} / ${sell} Naira for a dollar, for ${hours} h from ${from ?? "the approval"} on.`,
    nothing: ({ merchant }) => `${merchant} has this rate already.`,
  }),
  "operator.add": kind({
    payload: z.strictObject({ email, role: z.enum(OPERATOR_ROLES), was: WAS }),
    subjectOf: ({ email }) => email,
    merchantOf: async () => PLATFORM_MERCHANT,
    stateOf: ({ email }) => readPresentRole(email),
    carryOut: (ctx, { email, role, was }, { reason }) => addOperator(ctx, { email, role, reason, was }),
    text: ({ email, role, was }) => `Make ${email}, who is ${was ?? "no operator"}, an operator with the role ${role}.`,
    nothing: ({ email, role }) => `${email} is an operator with the role ${role} already.`,
  }),
  "operator.reset_two_factor": kind({
    payload: z.strictObject({ email }),
    subjectOf: ({ email }) => email,
    merchantOf: async () => PLATFORM_MERCHANT,
    carryOut: async (ctx, { email }, { reason }) => (await resetTwoFactor(ctx, { email, reason })) === "asked",
    text: ({ email }) => `Ask for the removal of the second factor of the operator ${email}.`,
    nothing: ({ email }) => `${email} has no account, or no second factor.`,
  }),
} as const;

export type ProposalKind = keyof typeof KINDS;
export type PayloadOf<K extends ProposalKind> = z.input<(typeof KINDS)[K]["payload"]>;

/** Returns a kind. Its payload has not been checked, so its functions take only what its schema has read. */
const kindNamed = (kindName: string): Kind<z.ZodObject> | undefined =>
  Object.hasOwn(KINDS, kindName) ? (KINDS[kindName as ProposalKind] as unknown as Kind<z.ZodObject>) : undefined;

/**
 * Returns the act of a proposal, with its payload checked. Throws VALIDATION_ERROR for a bad payload, and an Error for a kind that an earlier version of Oja
 * had.
 */
export function actOf(kindName: string, given: Record<string, unknown>) {
  const known = kindNamed(kindName);
  if (!known) throw new Error(`no proposal is of the kind ${kindName}`);
  const payload = parsed(known.payload, given);
  const nothing = known.nothing(payload);
  return {
    payload,
    /** Returns the payload with the state of now, to be stored. */
    withState: async () => ({ ...payload, ...(known.stateOf && { was: await known.stateOf(payload) }) }),
    nothing,
    subject: known.subjectOf(payload),
    findMerchant: () => known.merchantOf(payload),
    /** Throws `NotCarriedOut` where it changes nothing. */
    carryOut: async (ctx: ApprovedContext, words: { reason: string; secrets: Secrets | null }): Promise<void> => {
      if (!(await known.carryOut(ctx, payload, words))) throw new NotCarriedOut(nothing);
    },
  };
}

/** Returns what a proposal is to do, in words. Of a kind or payload that is not known any more only the kind. */
export function textOf(kindName: string, payload: unknown): string {
  const known = kindNamed(kindName);
  const read = known?.payload.safeParse(payload);
  return known && read?.success ? known.text(read.data) : kindName;
}
