import { formatMoney, money } from "#lib/money.ts";
import { alertOperators } from "./alerts/index.ts";
import { modeOf } from "./providers/index.ts";

interface Sent {
  merchantId: string;
  id: string;
  provider: string;
  /** In kobo. */
  amount: bigint;
}

const NAMES = {
  payout: (sum: string, id: string) => `${sum} of ${id}`,
  refund: (sum: string, id: string) => `the refund of ${sum} ${id}`,
};

const nameOf = (thing: "payout" | "refund", { merchantId, id, amount }: Sent): string =>
  `${NAMES[thing](formatMoney(money(amount, "NGN")), id)} (${merchantId})`;

/** Tells operators that a payout or refund waits at its bank for an act of theirs. */
export const tellOfNeed = (thing: "payout" | "refund", sent: Sent, need: string): Promise<void> =>
  alertOperators(modeOf(sent.provider), {
    ...{ type: `${thing}.needs_operator`, resourceId: sent.id, cause: `${sent.id}:needs` },
    message: `${sent.provider} waits with ${nameOf(thing, sent)}: ${need}`,
  });

/** Tells operators of an order that its bank never took. A bank refuses every order while our money there does not suffice, in words that are not a promise. */
export const tellOfLost = (thing: "payout" | "refund", sent: Sent): Promise<void> =>
  alertOperators(modeOf(sent.provider), {
    ...{ type: `${thing}.needs_operator`, resourceId: sent.id, cause: `${sent.id}:lost` },
    message: `${sent.provider} did not take the order for ${nameOf(thing, sent)}. The ${thing} has failed, and its money is back in the wallet. Look whether our balance at ${sent.provider} suffices. The log has its answer.`,
  });
