import fc from "fast-check";
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#lib/time.ts";
import { decide } from "./budget.ts";

interface Mail {
  kind: "news" | "summary";
  atMs: number;
  things: number;
}

/** Plays a member's mails: things come at minutes, the worker looks once a minute, and goes on until nothing waits. */
function play(minutes: readonly number[]): Mail[] {
  const mails: Mail[] = [];
  const coming = minutes.toSorted((a, b) => a - b);
  let [waiting, dueAtMs]: [number[], number] = [[], 0];
  for (let minute = 0; coming.length + waiting.length > 0; minute++) {
    const nowMs = minute * MINUTE_MS;
    while (coming[0] !== undefined && coming[0] <= minute) {
      waiting = [...waiting, (coming.shift() ?? 0) * MINUTE_MS];
      dueAtMs = Math.min(dueAtMs, nowMs);
    }
    const [oldest] = waiting;
    if (oldest === undefined) continue;
    const recent = mails.filter(({ atMs }) => atMs > nowMs - HOUR_MS);
    const summary = recent.findLast(({ kind }) => kind === "summary");
    const sent = {
      singles: recent.filter(({ kind }) => kind === "news").length,
      summaryAt: summary ? new Date(summary.atMs) : null,
    };
    const decision = decide({ count: waiting.length, oldest: new Date(oldest) }, sent, new Date(nowMs));
    if (decision.how === "later") {
      expect(decision.at.getTime()).toBeGreaterThan(nowMs);
      expect(decision.at.getTime()).toBeLessThanOrEqual(nowMs + HOUR_MS);
      continue;
    }
    if (decision.how === "together") mails.push({ kind: "summary", atMs: nowMs, things: waiting.length });
    else for (const _ of waiting) mails.push({ kind: "news", atMs: nowMs, things: 1 });
    waiting = [];
  }
  return mails;
}

test("in any hour a member gets at most five mails and one summary, and every item is mailed", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 200 }), (minutes) => {
      const mails = play(minutes);
      expect(mails.reduce((sum, { things }) => sum + things, 0)).toBe(minutes.length);
      for (const { atMs } of mails) {
        const within = mails.filter((other) => other.atMs >= atMs && other.atMs < atMs + HOUR_MS);
        expect(within.filter(({ kind }) => kind === "news").length).toBeLessThanOrEqual(5);
        expect(within.filter(({ kind }) => kind === "summary").length).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test("up to five items are mailed at once, each in its own mail", () => {
  expect(play([0, 1, 2, 3, 4])).toMatchObject([0, 1, 2, 3, 4].map((minute) => ({ kind: "news", atMs: minute * MINUTE_MS })));
});
