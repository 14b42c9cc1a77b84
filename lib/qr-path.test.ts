import fc from "fast-check";
import jsQR from "jsqr";
import { expect, test } from "vitest";
import { newReference } from "./ids.ts";
import { qrPath } from "./qr-path.ts";

const PIXELS_PER_MODULE = 4;
/** The white border that a QR reader needs, in modules. */
const QUIET_ZONE = 4;

/** Draws the path as a browser does, black on white and four pixels a module. Returns the text that a QR reader finds in the picture. */
function readDrawing({ path, size }: { path: string; size: number }) {
  const width = (size + 2 * QUIET_ZONE) * PIXELS_PER_MODULE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
    for (let dy = 0; dy < PIXELS_PER_MODULE; dy++) {
      for (let dx = 0; dx < Number(length) * PIXELS_PER_MODULE; dx++) {
        const at = (((Number(y) + QUIET_ZONE) * PIXELS_PER_MODULE + dy) * width + (Number(x) + QUIET_ZONE) * PIXELS_PER_MODULE + dx) * 4;
        pixels.fill(0, at, at + 3);
      }
    }
  }
  return jsQR(pixels, width, width)?.data;
}

test("the QR code of any link leads to its page", () => {
  fc.assert(
    fc.property(fc.constantFrom("http://localhost:3000", "https://pay.a-rather-long-name-of-a-shop.example.com"), (base) => {
      const url = `${base}/pay/${newReference()}`;
      expect(readDrawing(qrPath(url))).toBe(url);
    }),
    { numRuns: 50 },
  );
});
