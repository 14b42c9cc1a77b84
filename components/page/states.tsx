import { StatePill, type StateTone } from "#components/ui/state-pill.tsx";

/** One word for one state, on every screen. */
export interface StateWords {
  tone: StateTone;
  word: string;
}

/** The words for a state that the record should not be able to have. */
export const UNKNOWN_STATE: StateWords = { tone: "waiting", word: "Unknown" };

export const LINK_STATES = {
  pending: { tone: "waiting", word: "Waiting" },
  success: { tone: "success", word: "Paid" },
  expired: { tone: "warning", word: "Expired" },
} as const satisfies Record<string, StateWords>;

export const CARD_STATES = {
  PENDING: { tone: "waiting", word: "Being issued" },
  ACTIVE: { tone: "success", word: "Active" },
  FROZEN: { tone: "warning", word: "Frozen" },
  TERMINATED: { tone: "danger", word: "Terminated" },
  FAILED: { tone: "danger", word: "Not issued" },
} as const satisfies Record<string, StateWords>;

export const KYC_STATES = {
  PENDING: { tone: "waiting", word: "Being checked" },
  APPROVED: { tone: "success", word: "Approved" },
  REJECTED: { tone: "danger", word: "Refused" },
} as const satisfies Record<string, StateWords>;

export const OPERATION_STATES = {
  processing: { tone: "waiting", word: "Processing" },
  completed: { tone: "success", word: "Done" },
  failed: { tone: "danger", word: "Failed" },
} as const satisfies Record<string, StateWords>;

export const PURCHASE_STATES = {
  processing: { tone: "waiting", word: "Processing" },
  success: { tone: "success", word: "Delivered" },
  failed: { tone: "danger", word: "Failed" },
  reversed: { tone: "warning", word: "Returned" },
} as const satisfies Record<string, StateWords>;

export const PAYOUT_STATES = {
  processing: { tone: "waiting", word: "Processing" },
  paid: { tone: "success", word: "Paid" },
  failed: { tone: "danger", word: "Failed" },
  reversed: { tone: "warning", word: "Came back" },
} as const satisfies Record<string, StateWords>;

export const REFUND_STATES = {
  needs_account: { tone: "waiting", word: "Waiting" },
  processing: { tone: "waiting", word: "Processing" },
  paid: { tone: "success", word: "Refunded" },
  failed: { tone: "danger", word: "Failed" },
  reversed: { tone: "warning", word: "Came back" },
} as const satisfies Record<string, StateWords>;

/** A state as its pill: `<State of={LINK_STATES[link.status]} />`. */
export const State = ({ of: { tone, word } }: { of: StateWords }) => <StatePill tone={tone}>{word}</StatePill>;

/** Returns the states of a kind as the choices of a filter. */
export const choicesOf = (states: Readonly<Record<string, StateWords>>) =>
  Object.entries(states).map(([value, { word }]) => ({ value, label: word }));

export const SPEND_STATES = {
  processing: { tone: "waiting", word: "Authorised" },
  completed: { tone: "success", word: "Cleared" },
  failed: { tone: "danger", word: "Declined" },
  reversed: { tone: "warning", word: "Released" },
} as const satisfies Record<string, StateWords>;

export const BULK_ORDER_STATES = {
  draft: { tone: "waiting", word: "Not bought yet" },
  running: { tone: "waiting", word: "Buying" },
  paused: { tone: "warning", word: "Paused" },
  done: { tone: "success", word: "Finished" },
  cancelled: { tone: "warning", word: "Cancelled" },
} as const satisfies Record<string, StateWords>;

export const BULK_ROW_STATES = {
  ready: { tone: "waiting", word: "To buy" },
  invalid: { tone: "danger", word: "Cannot be bought" },
  duplicate: { tone: "warning", word: "Duplicate" },
  bought: { tone: "success", word: "Bought" },
  failed: { tone: "danger", word: "Failed" },
  skipped: { tone: "waiting", word: "Left out" },
} as const satisfies Record<string, StateWords>;

export const KEY_STATES = {
  active: { tone: "success", word: "Works" },
  rolled: { tone: "warning", word: "Replaced" },
  ended: { tone: "warning", word: "Ended" },
  paused: { tone: "warning", word: "Paused" },
  revoked: { tone: "danger", word: "Revoked" },
} as const satisfies Record<string, StateWords>;

export const ENDPOINT_STATES = {
  working: { tone: "success", word: "Works" },
  failing: { tone: "warning", word: "Failing" },
  disabled: { tone: "danger", word: "Disabled" },
} as const satisfies Record<string, StateWords>;

/** A pending delivery that was tried is `retrying`, so that a failing endpoint does not look as if nothing had failed. */
export const DELIVERY_STATES = {
  pending: { tone: "waiting", word: "To be sent" },
  retrying: { tone: "warning", word: "Retrying" },
  delivered: { tone: "success", word: "Delivered" },
  failed: { tone: "danger", word: "Failed" },
} as const satisfies Record<string, StateWords>;

export const INVITATION_STATES = {
  open: { tone: "waiting", word: "Invited" },
  expired: { tone: "warning", word: "Expired" },
  lapsed: { tone: "warning", word: "Not valid any more" },
  declined: { tone: "danger", word: "Declined" },
} as const satisfies Record<string, StateWords>;
