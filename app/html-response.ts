import { createHash } from "node:crypto";

const STYLE = `:root{color-scheme:light dark;font:16px/1.6 ui-sans-serif,system-ui,sans-serif}body{max-width:44rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.5rem}h2{font-size:1rem;margin:2rem 0 .25rem;font-family:ui-monospace,monospace;overflow-wrap:anywhere}p{margin:.25rem 0}a{color:inherit}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Returns a small HTML page. `title` and `content` are not escaped, so they must be fixed text of ours and never a merchant's. */
export function htmlResponse(title: string, content: string, status = 200): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": status === 200 ? "public, max-age=300" : "no-store",
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  });
}
