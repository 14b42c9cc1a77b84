import { expect, test } from "vitest";
import { requireGoodPassword } from "./password-strength.ts";

const GOOD = "seven lorries of ripe plantain";
/**
 * Returns the least time, of five, that `judgings` judgings of a password take, in milliseconds: the machine may be busy,
 * and code warms up. It is time by the clock, because the processor time of a process counts in steps of 10 ms on some machines.
 */
function timeOf(password: string, known: string[] = [], judgings = 1): number {
  return Math.min(...Array.from({ length: 5 }, () => timeOnce(password, known, judgings)));
}

function timeOnce(password: string, known: string[], judgings: number): number {
  const before = performance.now();
  for (let i = 0; i < judgings; i++) {
    try {
      requireGoodPassword(password, known);
    } catch {
      // Only the time matters here.
    }
  }
  return performance.now() - before;
}

test("a password of 128 characters that look like others, and long known texts, take at most 25 times as long as an ordinary password", () => {
  const most = timeOf(GOOD, [], 25);
  const letters = "4@8({[<3690!1|7+$52%";
  const hard = Array.from({ length: 128 }, (_, i) => letters.charAt((i * i * 7 + i * 3) % letters.length)).join("");
  expect(timeOf(hard)).toBeLessThan(most);
  const long = Array.from({ length: 90_000 }, (_, i) => i.toString(36).padStart(4, "z")).join(" ");
  expect(timeOf("@4(0$5!1|7+%29863".repeat(7), Array(9).fill(long))).toBeLessThan(most);
});
