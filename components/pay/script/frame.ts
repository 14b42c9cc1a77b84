import { byId, reference, statusShown } from "./page.ts";

let told = "";

/**
 * Sends the payment's status and this page's height to the page that frames it. Each message names one origin that the merchant listed, so
 * the browser delivers it to that origin or to none.
 */
export function tellFrame(): void {
  if (parent === window) return;
  const message = { type: "oja.payment", reference, status: statusShown(), height: document.body.offsetHeight };
  const text = JSON.stringify(message);
  if (text === told) return;
  told = text;
  for (const origin of (byId("page")?.dataset.embed ?? "").split(" ")) if (mayFrame(origin)) parent.postMessage(message, origin);
}

/** Returns whether this origin may be the framing page. Some browsers name the framing origin; then no other is tried. */
function mayFrame(origin: string): boolean {
  const framer = location.ancestorOrigins?.[0];
  return origin !== "" && (framer === undefined || framer === origin);
}

/** Sends the height again each time the page grows or shrinks. */
export function followHeight(): void {
  if (parent !== window && "ResizeObserver" in window) new ResizeObserver(tellFrame).observe(document.body);
}
