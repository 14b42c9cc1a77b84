import { inSentence } from "#app/(dashboard)/_page/namer.ts";
import type { StateWords } from "#components/page/states.tsx";
import type { AccountRow } from "#components/wallet/accounts-list.tsx";
import { lagosDateTime } from "#lib/time.ts";
import type { BankAccount } from "#services/payouts/index.ts";
import { nameOfAccount } from "../payouts/to-view.ts";

const STATES: Record<BankAccount["state"], StateWords> = {
  active: { tone: "success", word: "Active" },
  waiting: { tone: "waiting", word: "Waiting" },
  deciding: { tone: "waiting", word: "Being looked at" },
  removed: { tone: "warning", word: "Removed" },
};

/** Returns what the list shows of an account. `addedBy` names the person for the reader. */
export function toAccountRow(account: BankAccount, addedBy: string): Omit<AccountRow, "remove"> {
  const { id, accountName, state } = account;
  return { id, accountName, to: nameOfAccount(account), state: STATES[state], fact: factOf(account, addedBy) };
}

function factOf({ state, usableAt, createdAt }: BankAccount, addedBy: string): string {
  const added = `Added by ${inSentence(addedBy)}, ${lagosDateTime(createdAt)}.`;
  if (state === "waiting") return `Can be used from ${lagosDateTime(usableAt)} (West Africa Time). ${added}`;
  if (state === "deciding") return `The owner's name is not your business's, so our people look at it first. ${added}`;
  return added;
}
