import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

// Makes the icons of public/ again from the sign in components/ui/logo.tsx: `node scripts/make-icons.mjs`. The results are committed.

const ROOT = join(import.meta.dirname, "..");
const SIGN = /SIGN =\s*"([^"]+)"/.exec(readFileSync(join(ROOT, "components/ui/logo.tsx"), "utf8"))?.[1];
if (SIGN === undefined) throw new Error("components/ui/logo.tsx has no SIGN");

const LIVE = { ground: "#0f766e", ink: "#ffffff" };
const TEST = { ground: "#ffc53d", ink: "#3d2800" };

/** Returns the sign on a square of 32. `share` is the part of the width that the sign takes. */
function tile({ ground, ink }, { radius, share }) {
  const scale = (32 * share) / 24;
  const at = 16 - 12 * scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Oja</title><rect width="32" height="32" rx="${radius}" fill="${ground}"/><path transform="translate(${at} ${at}) scale(${scale})" fill="${ink}" d="${SIGN}"/></svg>\n`;
}

const save = (name, content) => writeFileSync(join(ROOT, "public", name), content);
const png = (svg, size) =>
  sharp(Buffer.from(svg), { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();

const rounded = { radius: 7, share: 0.75 };
const favicon = tile(LIVE, rounded);
save("favicon.svg", favicon);
save("favicon-test.svg", tile(TEST, rounded));
save("favicon.ico", ico(await png(favicon, 32), 32));
save("icon-192.png", await png(favicon, 192));
save("icon-512.png", await png(favicon, 512));
// A device crops these icons to its own shape. Of a maskable icon it shows at least the middle four fifths.
save("icon-maskable-512.png", await png(tile(LIVE, { radius: 0, share: 0.56 }), 512));
save("apple-touch-icon.png", await png(tile(LIVE, { radius: 0, share: 0.68 }), 180));

/** Returns an .ico with one PNG in it: a directory of one entry, and the picture. */
function ico(picture, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(picture.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, picture]);
}
