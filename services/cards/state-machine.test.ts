import { expect, test } from "vitest";
import { CARD_STATUSES, type CardAction, requireAllowed, verdictOn } from "./state-machine.ts";

const ACTIONS: CardAction[] = ["fund", "unload", "freeze", "unfreeze", "terminate", "reveal"];

test("each status allows or refuses each action, or counts it as done, as the contract says", () => {
  const table = Object.fromEntries(CARD_STATUSES.map((status) => [status, ACTIONS.map((action) => verdictOn(status, action)).join(" | ")]));
  expect(table).toEqual({
    PENDING: "CARD_NOT_ACTIVE | CARD_NOT_ACTIVE | CARD_NOT_ACTIVE | CARD_NOT_ACTIVE | CARD_NOT_ACTIVE | CARD_NOT_ACTIVE",
    ACTIVE: "allowed | allowed | allowed | done already | allowed | allowed",
    FROZEN: "CARD_FROZEN | CARD_FROZEN | done already | allowed | allowed | allowed",
    TERMINATED: "CARD_TERMINATED | CARD_TERMINATED | CARD_TERMINATED | CARD_TERMINATED | done already | CARD_TERMINATED",
    FAILED: "CARD_NOT_ACTIVE | CARD_NOT_ACTIVE | CARD_NOT_ACTIVE | CARD_NOT_ACTIVE | CARD_NOT_ACTIVE | CARD_NOT_ACTIVE",
  });
});

test("a card that is being terminated refuses fundings, unloads, freezes and unfreezes, and allows the termination", () => {
  for (const action of ["fund", "unload", "freeze"] as const)
    expect(verdictOn("ACTIVE", action, { isEnding: true })).toBe("CARD_NOT_ACTIVE");
  expect(verdictOn("FROZEN", "unfreeze", { isEnding: true })).toBe("CARD_NOT_ACTIVE");
  expect(verdictOn("ACTIVE", "terminate", { isEnding: true })).toBe("allowed");
});

test("a blocked card moves no money, and can still be frozen, unfrozen and revealed", () => {
  const isBlocked = { isBlocked: true };
  for (const action of ["fund", "unload", "terminate"] as const) {
    expect(verdictOn("ACTIVE", action, isBlocked)).toBe("CARD_NOT_ACTIVE");
    expect(() => requireAllowed("ACTIVE", action, isBlocked)).toThrow(/No money moves on this card/);
  }
  for (const action of ["freeze", "reveal"] as const) expect(verdictOn("ACTIVE", action, isBlocked)).toBe("allowed");
  expect(verdictOn("FROZEN", "unfreeze", isBlocked)).toBe("allowed");
  expect(verdictOn("TERMINATED", "terminate", isBlocked)).toBe("done already");
});

test("every refused action throws the code of its verdict and says that nothing was executed", () => {
  for (const status of CARD_STATUSES) {
    for (const action of ACTIONS) {
      const verdict = verdictOn(status, action);
      if (verdict === "allowed" || verdict === "done already") expect(requireAllowed(status, action)).toBe(verdict === "allowed");
      else expect(() => requireAllowed(status, action)).toThrow(expect.objectContaining({ code: verdict, outcome: "not_executed" }));
    }
  }
});
