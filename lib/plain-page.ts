import { createHash } from "node:crypto";

/** The tokens of components/theme.css that plain pages use, light and dark. */
export const TOKENS = {
  light: {
    ground: "#f6f7f6",
    surface: "#ffffff",
    ink: "#16211d",
    muted: "#55635d",
    line: "#dde3e0",
    control: "#77857e",
    brand: "#0f766e",
    "brand-ink": "#ffffff",
  },
  dark: {
    ground: "#0e1412",
    surface: "#171f1c",
    ink: "#eaf0ed",
    muted: "#a3b1ab",
    line: "#2d3833",
    control: "#7c8b84",
    // As in components/ui/styles.css: the light brand is too dark on a dark ground.
    brand: "#4fc3b5",
    "brand-ink": "#06201c",
  },
} as const;

const declared = (tokens: Record<string, string>) =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");

const STYLE = `:root{color-scheme:light dark;${declared(TOKENS.light)}}@media(prefers-color-scheme:dark){:root{${declared(TOKENS.dark)}}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:40rem;margin:0 auto;padding:1.5rem 1rem 3rem;overflow-wrap:anywhere}
.home{display:inline-flex;align-items:center;gap:.5rem;min-height:44px;font-size:1.25rem;font-weight:600;text-decoration:none}.home svg{color:var(--brand)}
h1{margin:1rem 0 .5rem;font-size:1.5rem;line-height:1.25}h2{margin:1.25rem 0 .25rem;font-size:1rem}p{margin:.5rem 0}.muted{color:var(--muted)}
a{color:inherit}code{font-family:ui-monospace,monospace}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input{width:100%;min-height:44px;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--control);border-radius:6px}
button,.act{display:flex;align-items:center;justify-content:center;width:100%;min-height:48px;margin-top:.75rem;padding:.5rem 1rem;font:inherit;font-weight:600;text-decoration:none;color:var(--ink);background:var(--surface);border:1px solid var(--control);border-radius:6px;cursor:pointer}
button,.main{color:var(--brand-ink);background:var(--brand);border-color:var(--brand)}
.acts{max-width:22rem;margin-top:1.5rem}.more{display:flex;flex-wrap:wrap;gap:0 1.25rem;margin-top:1.5rem;color:var(--muted)}.more a{display:inline-flex;align-items:center;min-height:44px}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

interface PlainPage {
  /** Not escaped here, like `content`. It must be fixed text of ours, or be escaped by the caller. */
  title: string;
  content: string;
  status?: number;
  /** Forms may be sent to our own paths. No search engine keeps such a page. */
  hasForm?: boolean;
}

/** Returns a page of plain HTML in the theme, without script and without a request for anything else. */
export function plainPage({ title, content, status = 200, hasForm = false }: PlainPage): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${hasForm ? '<meta name="robots" content="noindex">' : ""}<link rel="icon" href="data:,"><title>${title}</title><style>${STYLE}</style></head><body><main>${content}</main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action ${hasForm ? "'self'" : "'none'"}; frame-ancestors 'none'`,
    },
  });
}
