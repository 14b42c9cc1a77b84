import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Blob, Face, Feature, Font, Buffer as ShapingBuffer, shape } from "harfbuzzjs";
import subsetFont from "subset-font";
import { beforeAll, expect, test } from "vitest";

const file = readFileSync(join(import.meta.dirname, "inter.woff2"));
let face: Face;

beforeAll(async () => {
  // HarfBuzz reads no WOFF2.
  const sfnt: Buffer = await subsetFont(file, "", { keepAllGlyphs: true, targetFormat: "sfnt" });
  face = new Face(new Blob(new Uint8Array(sfnt).buffer));
});

function shaped(text: string, features: string[]): ShapingBuffer {
  const buffer = new ShapingBuffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  const parsed = features.map((each) => Feature.fromString(each)).filter((each) => each !== undefined);
  shape(new Font(face), buffer, parsed);
  return buffer;
}

const advancesOf = (text: string, ...features: string[]) =>
  shaped(text, features)
    .getGlyphPositions()
    .map(({ xAdvance }) => xAdvance);

test("the font takes at most 40 KB", () => {
  expect(file.byteLength).toBeLessThanOrEqual(40 * 1024);
});

test("the font has the signs of money, and the letters of English, Hausa, Igbo and Yoruba", () => {
  const has = new Set(face.collectUnicodes());
  const missing = [..."₦$−+×·…“”‘’–—AZaz09éÁẹỌṣịỤńɓƊƙƴ\u0300\u0301\u0304"].filter((letter) => !has.has(letter.codePointAt(0) ?? 0));
  expect(missing).toEqual([]);
});

test("tabular figures have one width, and usual ones have not", () => {
  expect(new Set(advancesOf("0123456789", "tnum")).size).toBe(1);
  expect(new Set(advancesOf("0123456789")).size).toBeGreaterThan(1);
});
