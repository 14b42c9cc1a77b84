import { expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import { daysOfVolume, toVolume } from "./to-volume.ts";

const TODAY = "2026-11-21";
const figure = (day: string, major: number, { type = "payment_link", source = "wallet" as "wallet" | "event", count = 1 } = {}) => ({
  ...{ day, source, type, count, amount: naira(major) },
});
const volumeOf = (...figures: ReturnType<typeof figure>[]) => toVolume({ figures, isComplete: true }, TODAY);

test("sixty days are read: 30 up to today, and the 30 before", () => {
  expect(daysOfVolume(TODAY)).toEqual({ from: "2026-09-23", to: "2026-11-21" });
});

test("the 30 days are listed oldest first, end today, and include days without payments", () => {
  const { days, today, total } = volumeOf(figure("2026-11-20", 700, { count: 2 }), figure(TODAY, 300));
  expect(days).toHaveLength(30);
  expect([days.at(0)?.day, days.at(-1)?.day]).toEqual(["2026-10-23", TODAY]);
  expect(today).toMatchObject({ count: 1, amount: naira(300) });
  expect(total).toEqual({ count: 3, amount: naira(1_000) });
});

test("only payments count: no recall, no spend and no event", () => {
  const spent = figure(TODAY, 50, { type: "vtu_airtime" });
  const event = figure(TODAY, 50, { type: "payment_link", source: "event" });
  expect(volumeOf(figure(TODAY, 300), spent, event).total).toEqual({ count: 1, amount: naira(300) });
});

test.each([
  [1_000, 1_180, "+18 % on the 30 days before"],
  [1_000, 500, "\u221250 % on the 30 days before"],
  [1_000, 1_000, "as much as in the 30 days before"],
  [0, 1_000, null],
])("₦%d in the 30 days before and ₦%d in the last 30 are compared as: %s", (before, after, change) => {
  const earlier = before > 0 ? [figure("2026-10-22", before)] : [];
  expect(volumeOf(...earlier, figure("2026-10-23", after)).change).toBe(change);
});
