import { byId, reference, statusShown } from "./page.ts";

let told = "";

/**
 * Tells the page that frames this one how the payment stands and how high this page is. Each message is addressed to one origin that the
 * merchant has listed: a browser delivers it there or nowhere.
 */
export function tellFrame(): void {
  if (parent === window) return;
  const message = { type: "oja.payment", reference, status: statusShown(), height: document.body.offsetHeight };
  const text = JSON.stringify(message);
  if (text === told) return;
  told = text;
  for (const origin of (byId("page")?.dataset.embed ?? "").split(" ")) if (mayFrame(origin)) parent.postMessage(message, origin);
}

/** Where the browser says who frames us, the others need not be tried. */
function mayFrame(origin: string): boolean {
  const framer = location.ancestorOrigins?.[0];
  return origin !== "" && (framer === undefined || framer === origin);
}

/** A page that grows or shrinks, by a notice or another width, is told of again. */
export function followHeight(): void {
  if (parent !== window && "ResizeObserver" in window) new ResizeObserver(tellFrame).observe(document.body);
}
