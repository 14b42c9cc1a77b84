import { expect, test } from "vitest";
import { parseFile } from "./parse-file.ts";

/** Returns how often other work had its turn while a file was read. */
async function turnsWhileReading(text: string): Promise<number> {
  let turns = 0;
  let isReading = true;
  const lockWeeks = () => {
    turns++;
    if (isReading) setImmediate(lockWeeks);
  };
  setImmediate(lockWeeks);
  await parseFile(text);
  isReading = false;
  return turns;
}

test("a file of 210 KB is read in slices, and other requests go between", async () => {
  const row = Array.from({ length: 22 }, () => `"${"x".repeat(17)}"`).join(",");
  const header = ["phone", "amount", ...Array.from({ length: 20 }, (_, n) => `note ${n}`)].join(",");
  const text = [header, ...Array.from({ length: 500 }, () => row)].join("\n");
  expect(await turnsWhileReading(text)).toBeGreaterThanOrEqual(13);
  expect(await turnsWhileReading("phone,amount\n08031234567,100")).toBeLessThan(5);
});

test("a character and a quoted cell that end in another slice are read whole", async () => {
  for (const before of [0, 1, 2, 3]) {
    const cell = `${"x".repeat(before)}${"😀é, ".repeat(12)}`.trim();
    const rows = Array.from({ length: 400 }, (_, n) => `0803123${n},100,"${cell}"`);
    const { lines } = await parseFile(["phone,amount,note", ...rows].join("\n"));
    expect(new Set(lines.map(({ cells }) => cells.note))).toEqual(new Set([cell]));
    expect(lines.map(({ cells }) => cells.phone)).toEqual(rows.map((_, n) => `0803123${n}`));
  }
});

test("a file whose quotes are wrong in a late slice is refused with its line", async () => {
  const rows = Array.from({ length: 400 }, (_, n) => `0803123${n},100,${"x".repeat(80)}`);
  const text = ["phone,amount,note", ...rows, '08031234567,100,a"b'].join("\n");
  await expect(parseFile(text)).rejects.toThrow("The file is no CSV from line 402 on");
});
