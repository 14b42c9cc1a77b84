import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import subsetFont from "subset-font";

// Makes components/ui/fonts/inter.woff2 again: `node scripts/make-font.mjs`. The result is committed, so that a build fetches nothing.

const SOURCE = "inter-ui@4.1.1";
const FOLDER = join(import.meta.dirname, "..", "components/ui/fonts");

const range = (first, last) => String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));

/** Latin, the letters of Hausa, Igbo and Yoruba with their tone marks, and the punctuation and currency signs of our screens. */
const CHARACTERS = [
  range(0x20, 0x7e),
  range(0xa0, 0xff),
  "ıŒœŠšŸŽžŁłŃńŇňḾḿǸǹ",
  "ƁɓƊɗƘƙƳƴẸẹỌọṢṣỊịỤụṄṅ",
  "\u0300\u0301\u0304\u0323",
  "‘’‚“”„†•…‰‹›–—−×÷≈≠≤≥←↑→↓↗✓✕●○⌘⌃⌥⇧↵",
  "₦€£$\u2009\u202f",
].join("");

/** Kerning, accents and tabular figures. Each other feature would add glyphs that no screen shows. */
const FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum"];

const work = mkdtempSync(join(tmpdir(), "inter-"));
try {
  const packed = spawnSync("npm", ["pack", SOURCE, "--silent"], { cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (packed.status !== 0) throw new Error(`npm pack ${SOURCE} failed`);
  spawnSync("tar", ["xzf", packed.stdout.trim()], { cwd: work, stdio: "inherit" });
  const whole = readFileSync(join(work, "package/variable/InterVariable.woff2"));
  const font = await subsetFont(whole, CHARACTERS, {
    targetFormat: "woff2",
    variationAxes: { wght: { min: 400, max: 700 }, opsz: 14 },
    keepFeatures: FEATURES,
    noHinting: true,
  });
  writeFileSync(join(FOLDER, "inter.woff2"), font);
  writeFileSync(join(FOLDER, "OFL.txt"), readFileSync(join(work, "package/LICENSE.txt")));
  console.log(`${font.length} bytes`);
} finally {
  rmSync(work, { recursive: true });
}
