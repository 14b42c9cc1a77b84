import { expect, test } from "vitest";
import { ALL_PERMISSIONS } from "../permissions.ts";
import { type MemberPermission, permissionsOf, ROLES } from "./index.ts";

const READS = ["checkout:read", "cards:read", "vtu:read", "wallet:read", "self", "browse"];
const BUILDING = ["events:read", "webhooks:read", "webhooks:write", "requests:read"];
const MONEY = ["cards:write", "cards:reveal", "vtu:write", "payouts:write", "refunds:write", "bank_accounts:write"];
const HELPING = ["checkout:write", "vtu:tokens"];
const MANAGING = ["keys:write", "audit:read", "settings:write", "team:write"];

const sorted = (permissions: readonly string[]) => permissions.toSorted();
const liveOf = (role: (typeof ROLES)[number]) => sorted(permissionsOf(role, "live"));
const testOf = (role: (typeof ROLES)[number]) => sorted(permissionsOf(role, "test"));

test("in live mode each role may do its part and no more", () => {
  expect(liveOf("viewer")).toEqual(sorted(READS));
  expect(liveOf("support")).toEqual(sorted([...READS, ...HELPING]));
  expect(liveOf("developer")).toEqual(sorted([...READS, ...BUILDING]));
  for (const role of ["admin", "owner"] as const) {
    expect(liveOf(role)).toEqual(
      sorted([...READS, ...HELPING, ...BUILDING, ...MONEY, ...MANAGING, ...(role === "owner" ? ["refunds:confirm"] : [])]),
    );
  }
});

test("in test mode developers do all but settings and team, and everybody but viewers may simulate", () => {
  expect(testOf("viewer")).toEqual(sorted(READS));
  expect(testOf("support")).toEqual(sorted([...READS, ...HELPING, "test:write"]));
  expect(testOf("developer")).toEqual(sorted([...READS, ...HELPING, ...BUILDING, ...MONEY, "keys:write", "audit:read", "test:write"]));
});

test("nobody may do less in test mode than in live mode", () => {
  for (const role of ROLES) expect(permissionsOf(role, "test")).toEqual(expect.arrayContaining(permissionsOf(role, "live")));
});

test("an owner has every permission of API keys in test mode", () => {
  expect(permissionsOf("owner", "test")).toEqual(expect.arrayContaining<MemberPermission>([...ALL_PERMISSIONS]));
});
