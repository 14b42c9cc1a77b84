import { type ErrorCode, Problem } from "#lib/problem.ts";

export const CARD_STATUSES = ["PENDING", "ACTIVE", "FROZEN", "TERMINATED", "FAILED"] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

/** What can be asked of a card that is there. */
export type CardAction = "fund" | "unload" | "freeze" | "unfreeze" | "terminate" | "reveal";

type ActionVerdict = "allowed" | "done already" | Extract<ErrorCode, "CARD_FROZEN" | "CARD_TERMINATED" | "CARD_NOT_ACTIVE">;

const EVERYTHING = {
  fund: "allowed",
  unload: "allowed",
  freeze: "allowed",
  unfreeze: "allowed",
  terminate: "allowed",
  reveal: "allowed",
} as const;
const refused = <Code extends ActionVerdict>(code: Code) =>
  ({ fund: code, unload: code, freeze: code, unfreeze: code, terminate: code, reveal: code }) as const;

/** The whole of it. docs/cards.md draws the transitions. `TERMINATED` is for good: repeating the termination is no error, all else is. */
const VERDICTS: Record<CardStatus, Record<CardAction, ActionVerdict>> = {
  PENDING: refused("CARD_NOT_ACTIVE"),
  ACTIVE: { ...EVERYTHING, unfreeze: "done already" },
  FROZEN: { ...EVERYTHING, fund: "CARD_FROZEN", unload: "CARD_FROZEN", freeze: "done already" },
  TERMINATED: { ...refused("CARD_TERMINATED"), terminate: "done already" },
  FAILED: refused("CARD_NOT_ACTIVE"),
};

/** Where each operation leads once the issuer has done it, and from where it may. Anything else that the issuer does to a card is its own affair. */
export const TRANSITIONS = {
  issue: { from: ["PENDING"], to: "ACTIVE" },
  freeze: { from: ["ACTIVE"], to: "FROZEN" },
  unfreeze: { from: ["FROZEN"], to: "ACTIVE" },
  terminate: { from: ["ACTIVE", "FROZEN"], to: "TERMINATED" },
} as const satisfies Record<string, { from: readonly CardStatus[]; to: CardStatus }>;

const MESSAGES = {
  CARD_FROZEN: "This card is frozen. Unfreeze it first.",
  CARD_TERMINATED: "This card is terminated, for good. Issue another one.",
  PENDING: "This card is not issued yet. Read it until its status is ACTIVE.",
  FAILED: "This card was never issued. Issue another one.",
  ENDING: "This card is about to be terminated. Read it to see that it is done.",
  BLOCKED: "No money moves on this card for now: its issuer said something about it that our people look into. Ask support.",
};

/** What stands in the way of an action beside the card's status. */
export interface Obstacles {
  /** The issuer was asked to terminate the card and has not answered yet. */
  isEnding?: boolean;
  /** An operator has to look into the card first (`blockCard`). */
  isBlocked?: boolean;
}

const MOVES_MONEY: CardAction[] = ["fund", "unload", "terminate"];
const POSSIBLE_AT_THE_END: CardAction[] = ["terminate", "reveal"];

const isInTheWay = (action: CardAction, { isEnding, isBlocked }: Obstacles) =>
  (isEnding && !POSSIBLE_AT_THE_END.includes(action)) || (isBlocked && MOVES_MONEY.includes(action));

/** What a card does with an action. */
export function verdictOn(status: CardStatus, action: CardAction, obstacles: Obstacles = {}): ActionVerdict {
  const verdict = VERDICTS[status][action];
  return verdict === "allowed" && isInTheWay(action, obstacles) ? "CARD_NOT_ACTIVE" : verdict;
}

/** False when the action has been done already. Throws CARD_FROZEN, CARD_TERMINATED or CARD_NOT_ACTIVE. */
export function requireAllowed(status: CardStatus, action: CardAction, obstacles: Obstacles = {}): boolean {
  const verdict = verdictOn(status, action, obstacles);
  if (verdict === "allowed") return true;
  if (verdict === "done already") return false;
  if (verdict !== "CARD_NOT_ACTIVE") throw new Problem(verdict, MESSAGES[verdict]);
  if (status === "PENDING" || status === "FAILED") throw new Problem(verdict, MESSAGES[status]);
  throw new Problem(verdict, obstacles.isBlocked && MOVES_MONEY.includes(action) ? MESSAGES.BLOCKED : MESSAGES.ENDING);
}
