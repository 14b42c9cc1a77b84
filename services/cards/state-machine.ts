import { type ErrorCode, Problem } from "#lib/problem.ts";

export const CARD_STATUSES = ["PENDING", "ACTIVE", "FROZEN", "TERMINATED", "FAILED"] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

/** An action that a merchant can request on an existing card. */
export type CardAction = "fund" | "unload" | "freeze" | "unfreeze" | "terminate" | "reveal";

type ActionVerdict = "allowed" | "done already" | Extract<ErrorCode, "CARD_FROZEN" | "CARD_TERMINATED" | "CARD_NOT_ACTIVE">;

const ALL_ALLOWED = {
  fund: "allowed",
  unload: "allowed",
  freeze: "allowed",
  unfreeze: "allowed",
  terminate: "allowed",
  reveal: "allowed",
} as const;
const refused = <Code extends ActionVerdict>(code: Code) =>
  ({ fund: code, unload: code, freeze: code, unfreeze: code, terminate: code, reveal: code }) as const;

/**
 * The verdict on each action in each status; docs/cards.md draws the transitions. `TERMINATED` is final: only a second termination is no
 * error.
 */
const VERDICTS: Record<CardStatus, Record<CardAction, ActionVerdict>> = {
  PENDING: refused("CARD_NOT_ACTIVE"),
  ACTIVE: { ...ALL_ALLOWED, unfreeze: "done already" },
  FROZEN: { ...ALL_ALLOWED, fund: "CARD_FROZEN", unload: "CARD_FROZEN", freeze: "done already" },
  TERMINATED: { ...refused("CARD_TERMINATED"), terminate: "done already" },
  FAILED: refused("CARD_NOT_ACTIVE"),
};

/**
 * The status that each operation leads to once the issuer completes it, and the statuses in which it applies. A change that the issuer
 * makes by itself is ignored, except that a closed card is terminated (`terminateClosedCard`).
 */
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

/** Reasons to refuse an action apart from the card's status. */
export interface Obstacles {
  /** The issuer was asked to terminate the card and has not answered yet. */
  isEnding?: boolean;
  /** The card is blocked (`blockCard`) until an operator resolves the block. */
  isBlocked?: boolean;
}

const MOVES_MONEY: CardAction[] = ["fund", "unload", "terminate"];
const ALLOWED_WHILE_ENDING: CardAction[] = ["terminate", "reveal"];

const isObstructed = (action: CardAction, { isEnding, isBlocked }: Obstacles) =>
  (isEnding && !ALLOWED_WHILE_ENDING.includes(action)) || (isBlocked && MOVES_MONEY.includes(action));

/** Returns whether an action is allowed, already done, or refused with an error code. */
export function verdictOn(status: CardStatus, action: CardAction, obstacles: Obstacles = {}): ActionVerdict {
  const verdict = VERDICTS[status][action];
  return verdict === "allowed" && isObstructed(action, obstacles) ? "CARD_NOT_ACTIVE" : verdict;
}

/** Returns true if the action is allowed, false if it is already done. Throws CARD_FROZEN, CARD_TERMINATED or CARD_NOT_ACTIVE. */
export function requireAllowed(status: CardStatus, action: CardAction, obstacles: Obstacles = {}): boolean {
  const verdict = verdictOn(status, action, obstacles);
  if (verdict === "allowed") return true;
  if (verdict === "done already") return false;
  if (verdict !== "CARD_NOT_ACTIVE") throw new Problem(verdict, MESSAGES[verdict]);
  if (status === "PENDING" || status === "FAILED") throw new Problem(verdict, MESSAGES[status]);
  throw new Problem(verdict, obstacles.isBlocked && MOVES_MONEY.includes(action) ? MESSAGES.BLOCKED : MESSAGES.ENDING);
}
