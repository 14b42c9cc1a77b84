import { afterEach, describe, expect, test, vi } from "vitest";
import type { ErrorCode } from "#lib/problem.ts";
import { Refused } from "./call.ts";
import { forgetIntent, sendIntent, unansweredIntent } from "./intent.ts";

const NAME = "mer_1/cards/fund";
const body = { amount: 20 };

/** A tab's storage, as a browser has it. */
function aTab() {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  });
  return kept;
}

/** Sends, and returns the key that was used. */
async function keyOf(content: unknown, answer: () => Promise<unknown> = async () => "done"): Promise<string> {
  let used = "";
  await sendIntent(NAME, content, (key) => {
    used = key;
    return answer();
  }).catch(() => undefined);
  return used;
}

const lost = () => Promise.reject(new TypeError("fetch failed"));
const refusedWith =
  (outcome: "not_executed" | "unknown", code: ErrorCode = "PROVIDER_ERROR") =>
  () =>
    Promise.reject(new Refused({ code, message: "No.", outcome, request_id: "req_1" }));

afterEach(() => {
  forgetIntent(NAME);
  vi.unstubAllGlobals();
});

describe.each([
  ["with a tab's storage", aTab],
  ["in a browser that keeps nothing", () => undefined],
])("an intent %s", (_where, begin) => {
  test("has the same key until there is an answer", async () => {
    begin();
    const first = await keyOf(body, lost);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(await keyOf(body, lost)).toBe(first);
    expect(await keyOf(body, refusedWith("unknown"))).toBe(first);
    expect(unansweredIntent(NAME)?.body).toBe(JSON.stringify(body));
    expect(await keyOf(body)).toBe(first);
    expect(unansweredIntent(NAME)).toBeUndefined();
    expect(await keyOf(body)).not.toBe(first);
  });

  test("a refusal that executed nothing ends an intent, and a request with another body begins a new one", async () => {
    begin();
    const first = await keyOf(body, refusedWith("not_executed"));
    const second = await keyOf(body, lost);
    const other = await keyOf({ amount: 21 }, lost);
    expect(new Set([first, second, other]).size).toBe(3);
  });
});

test.each(["MISSING_CREDENTIALS", "PERMISSION_DENIED", "RATE_LIMITED"] as const)(
  "%s after a lost answer keeps the key, because the server refused before it looked the key up",
  async (code) => {
    aTab();
    const first = await keyOf(body, lost);
    expect(await keyOf(body, refusedWith("not_executed", code))).toBe(first);
    expect(await keyOf(body)).toBe(first);
  },
);

test("a reload finds the intent in the tab's storage", async () => {
  const kept = aTab();
  const key = await keyOf(body, lost);
  expect([...kept.values()]).toEqual([JSON.stringify({ body: JSON.stringify(body), key, isSent: true })]);
});
