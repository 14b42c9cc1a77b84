import { LRUCache } from "lru-cache";
import type { ReactElement } from "react";
import { SCRIPT_NAME, STYLES } from "#components/pay/assets.generated.ts";
import type { Language } from "#components/pay/words/index.ts";
import { textColourOn } from "#lib/colour.ts";
import { staticMarkup, styleHashOf } from "../static-markup.ts";

interface Page {
  status: number;
  language: Language;
  title: string;
  brandColour: string;
  body: ReactElement;
  /** Values for the script: `data-` attributes of the element that the script replaces. */
  data?: Record<string, string>;
  /** For browsers without script: the seconds until the page reloads or, with `url`, goes there. */
  refresh?: { seconds: number; url?: string } | undefined;
  /** The preview that a messenger shows for a link to this page. */
  preview?: { title: string; image: string } | undefined;
  /** Origins whose pages may frame this one. */
  framers?: readonly string[];
  /** The page only shows: without script, and with controls that take neither clicks nor the focus. */
  isPreview?: boolean;
}

interface Brand {
  /** The stylesheet in UTF-8. */
  css: Buffer;
  /** For the Content-Security-Policy, which allows this one style element. */
  hash: string;
}

const brands = new LRUCache<string, Brand>({ max: 1_000 });

function brandOf(colour: string): Brand {
  const known = brands.get(colour);
  if (known) return known;
  const css = `${STYLES}:root{--color-brand:${colour};--color-brand-ink:${textColourOn(colour)}}`;
  const brand = { css: Buffer.from(css), hash: styleHashOf(css) };
  brands.set(colour, brand);
  return brand;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230f766e'/%3E%3Ccircle cx='8' cy='8' r='3.5' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

/** Hides the elements that only the script fills from browsers without script. */
const NO_SCRIPT_STYLE = ".js-slot{display:none!important}";
const NO_SCRIPT_HASH = styleHashOf(NO_SCRIPT_STYLE);

const policyOf = (styleHash: string, { framers = [], isPreview = false }: Page) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}' 'sha256-${NO_SCRIPT_HASH}'`,
    ...(isPreview ? ["form-action 'none'"] : ["script-src 'self'", "connect-src 'self'", "form-action 'self'"]),
    "img-src 'self' data:",
    "base-uri 'none'",
    // Browsers that know `frame-ancestors` ignore the header `X-Frame-Options: DENY`, which the server sets on every answer.
    `frame-ancestors ${framers.length > 0 ? framers.join(" ") : "'none'"}`,
  ].join("; ");

/** Returns a whole page as static HTML. No React reaches the payer's browser. */
export async function documentResponse(page: Page): Promise<Response> {
  const brand = brandOf(page.brandColour);
  const markup = await staticMarkup(<Document page={page} />);
  // The first `<style>` is the document's own, because all other text is escaped. The stylesheet is most of the page, so its encoded bytes
  // are kept.
  const at = markup.indexOf(STYLE) + STYLE.length;
  const bytes = Buffer.concat([Buffer.from(`<!doctype html>${markup.slice(0, at)}`), brand.css, Buffer.from(markup.slice(at))]);
  return new Response(bytes, {
    status: page.status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": page.language,
      "Content-Security-Policy": policyOf(brand.hash, page),
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex, nofollow",
      "Cache-Control": "no-store",
      Vary: "Accept-Language",
    },
  });
}

const STYLE = "<style>";

function Document({ page: { language, title, body, data, refresh, preview, isPreview = false } }: { page: Page }) {
  const attributes = Object.fromEntries(Object.entries(data ?? {}).map(([name, value]) => [`data-${name}`, value]));
  return (
    // The script sets this class. A preview shows what a payer with script sees.
    <html lang={language} className={isPreview ? "js" : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href={ICON} />
        {preview && <Preview {...preview} />}
        <style />
        {!isPreview && <script src={`/pay/assets/${SCRIPT_NAME}`} defer />}
        <noscript>
          <style>{NO_SCRIPT_STYLE}</style>
          {refresh && (
            <meta httpEquiv="refresh" content={refresh.url ? `${refresh.seconds};url=${refresh.url}` : String(refresh.seconds)} />
          )}
        </noscript>
      </head>
      <body inert={isPreview}>
        <main>
          <div id="page" {...attributes}>
            {body}
          </div>
          {/* Outside the element that the script replaces: a live region must exist before its text changes. */}
          <p id="news" role="status" className="sr-only" />
        </main>
      </body>
    </html>
  );
}

function Preview({ title, image }: { title: string; image: string }) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Oja" />
      <meta property="og:title" content={title} />
      <meta property="og:image" content={image} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
