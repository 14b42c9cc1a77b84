import localFont from "next/font/local";

/** Inter, as `scripts/make-font.mjs` made it. Sets `--font-inter`. A page that has no Inter yet keeps the fallback of the stylesheet, so nothing shifts. */
export const inter = localFont({
  src: "./inter.woff2",
  weight: "400 700",
  display: "optional",
  variable: "--font-inter",
  adjustFontFallback: false,
});
