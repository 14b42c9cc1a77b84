import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ReactElement } from "react";
import { SCRIPT_NAME, STYLES } from "#components/pay/assets.generated.ts";
import { textColourOn } from "#lib/colour.ts";

interface Page {
  status: number;
  title: string;
  brandColour: string;
  body: ReactElement;
  /** What the script reads from the body element. */
  data?: Record<string, string>;
  /** For browsers without script: seconds until the page asks again, or goes to `url`. */
  refresh?: { seconds: number; url?: string } | undefined;
}

interface Brand {
  css: string;
  /** For the Content-Security-Policy: the one style element that the page may have. */
  hash: string;
}

const brands = new LRUCache<string, Brand>({ max: 1_000 });

function brandOf(colour: string): Brand {
  const known = brands.get(colour);
  if (known) return known;
  const css = `${STYLES}:root{--color-brand:${colour};--color-brand-ink:${textColourOn(colour)}}`;
  const brand = { css, hash: createHash("sha256").update(css).digest("base64") };
  brands.set(colour, brand);
  return brand;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230f766e'/%3E%3Ccircle cx='8' cy='8' r='3.5' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

const policyOf = (styleHash: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "script-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** One whole document, rendered to static HTML: no React reaches the payer. */
export async function documentResponse({ status, title, brandColour, body, data, refresh }: Page): Promise<Response> {
  // Next forbids a static import of this in the server layer; loaded here it renders plain components, which is all that we have.
  const { renderToStaticMarkup } = await import("react-dom/server");
  const brand = brandOf(brandColour);
  const attributes = Object.fromEntries(Object.entries(data ?? {}).map(([name, value]) => [`data-${name}`, value]));
  const markup = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href={ICON} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, and a colour that a CHECK keeps to six hex digits */}
        <style dangerouslySetInnerHTML={{ __html: brand.css }} />
        <script src={`/pay/assets/${SCRIPT_NAME}`} defer />
        {refresh && (
          <noscript>
            <meta httpEquiv="refresh" content={refresh.url ? `${refresh.seconds};url=${refresh.url}` : String(refresh.seconds)} />
          </noscript>
        )}
      </head>
      <body {...attributes}>
        <main id="page">{body}</main>
      </body>
    </html>,
  );
  return new Response(`<!doctype html>${markup}`, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policyOf(brand.hash),
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex",
      "Cache-Control": "no-store",
    },
  });
}
