/** The quiet zone that scanners need, in modules. */
const QUIET = 3;

/** Returns a QR code as an SVG file. */
export function svgOf({ path, size }: { path: string; size: number }): string {
  const box = size + 2 * QUIET;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-QUIET} ${-QUIET} ${box} ${box}" shape-rendering="crispEdges"><path fill="#fff" d="M-${QUIET}-${QUIET}h${box}v${box}h-${box}z"/><path stroke="#000" d="${path}"/></svg>`;
}
