import fc from "fast-check";
import { expect, test } from "vitest";
import { firstSince } from "./first-since.ts";

const aNumber = fc.bigInt({ min: 0n, max: 10_000_000n });
const timeOf = (number: bigint) => new Date(Number(number) * 1_000);

test("at most six questions find the first of up to 10 million rows since a time, also if rows are missing", async () => {
  await fc.assert(
    fc.asyncProperty(aNumber, aNumber, aNumber, async (last, since, kept) => {
      let questions = 0;
      const found = await firstSince(timeOf(since), last, async (numbers) => {
        questions++;
        expect(numbers.every((number) => number >= 1n && number <= last)).toBe(true);
        const there = numbers.filter((number) => number < since || number <= kept);
        return there.map((number) => ({ number, created_at: timeOf(number).toISOString() }));
      });
      expect(found).toBe(since > last ? last + 1n : since < 1n ? 1n : since);
      expect(questions).toBeLessThanOrEqual(6);
    }),
    { numRuns: 500 },
  );
});
