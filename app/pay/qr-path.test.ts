import fc from "fast-check";
import jsQR from "jsqr";
import { expect, test } from "vitest";
import { newReference } from "#lib/ids.ts";
import { qrPath } from "./qr-path.ts";

const SCALE = 4;
const QUIET = 4;

/** Draws the path as a browser would: strokes of width 1, black on white, four pixels a module. */
function draw({ path, size }: { path: string; size: number }) {
  const width = (size + 2 * QUIET) * SCALE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
    for (let dy = 0; dy < SCALE; dy++) {
      for (let dx = 0; dx < Number(length) * SCALE; dx++) {
        const at = (((Number(y) + QUIET) * SCALE + dy) * width + (Number(x) + QUIET) * SCALE + dx) * 4;
        pixels.fill(0, at, at + 3);
      }
    }
  }
  return jsQR(pixels, width, width)?.data;
}

test("the QR code of whatever link leads to its page", () => {
  fc.assert(
    fc.property(fc.constantFrom("http://localhost:3000", "https://pay.a-rather-long-name-of-a-shop.example.com"), (base) => {
      const url = `${base}/pay/${newReference()}`;
      expect(draw(qrPath(url))).toBe(url);
    }),
    { numRuns: 50 },
  );
});
