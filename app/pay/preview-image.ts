import { join } from "node:path";
import { LRUCache } from "lru-cache";
import sharp from "sharp";
import { textColourOn } from "#lib/colour.ts";

interface Preview {
  name: string;
  amount: string;
  /** `#rrggbb` */
  colour: string;
  /** A test link's image is marked as a test. */
  isTest: boolean;
}

/** The size in pixels that Open Graph recommends. */
const WIDTH = 1_200;
const HEIGHT = 630;
const MARGIN = 80;

const FONTS = join("node_modules", "@expo-google-fonts", "noto-sans");
const BOLD = { font: "Noto Sans Bold", fontfile: join(process.cwd(), FONTS, "700Bold", "NotoSans_700Bold.ttf") };
const MEDIUM = { font: "Noto Sans Medium", fontfile: join(process.cwd(), FONTS, "500Medium", "NotoSans_500Medium.ttf") };

/** Characters outside the font's scripts. They would be drawn as boxes, or in any other font of the machine. */
const NOT_DRAWN = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Sc}\p{Zs}\p{Mn}+|]/gu;

const drawn = new LRUCache<string, Promise<Buffer>>({ max: 200 });

/**
 * Returns a PNG, with the same bytes for the same preview. sharp draws it outside this thread. Requests at the same time share one drawing.
 */
export function drawPreview(preview: Preview): Promise<Buffer> {
  const key = JSON.stringify(preview);
  const known = drawn.get(key);
  if (known) return known;
  const drawing = draw(preview);
  drawn.set(key, drawing);
  drawing.catch(() => drawn.delete(key));
  return drawing;
}

async function draw({ name, amount, colour, isTest }: Preview): Promise<Buffer> {
  const ink = textColourOn(colour);
  const title = name.replace(NOT_DRAWN, "").trim();
  const lines = [
    ...(title ? [{ input: await line(title, ink, MEDIUM, 72), left: MARGIN, top: 150 }] : []),
    { input: await line(amount, ink, BOLD, 130), left: MARGIN, top: 285 },
    { input: await line(isTest ? "Oja · test" : "Oja", ink, MEDIUM, 40), left: MARGIN, top: HEIGHT - MARGIN - 40 },
  ];
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: colour } })
    .composite(lines)
    .png({ palette: true, colours: 16 })
    .toBuffer();
}

/** Returns a line of text as a PNG of at most `height` pixels, and smaller if it would be too wide. */
function line(text: string, ink: string, font: typeof BOLD, height: number): Promise<Buffer> {
  const markup = `<span foreground="${ink}">${text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)}</span>`;
  return sharp({ text: { text: markup, ...font, rgba: true, width: WIDTH - 2 * MARGIN, height, wrap: "none" } })
    .png()
    .toBuffer();
}
