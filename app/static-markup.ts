import { createHash } from "node:crypto";
import type { ReactElement } from "react";

// Next forbids a static import of `react-dom/server` in its server layer. A dynamic import works for plain components.
let renderer: typeof import("react-dom/server") | undefined;

/** Returns plain components as static HTML. No React reaches the browser. */
export async function staticMarkup(element: ReactElement): Promise<string> {
  renderer ??= await import("react-dom/server");
  return renderer.renderToStaticMarkup(element);
}

/** Returns a style element's hash for a Content-Security-Policy. */
export const styleHashOf = (css: string): string => createHash("sha256").update(css).digest("base64");
