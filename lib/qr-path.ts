import { encode } from "uqr";

/** Returns a QR code as an SVG path, and its size in modules. Each run of dark modules is one horizontal stroke of width 1. */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: "L", border: 0, maskPattern: 0 });
  const path = data.map((row, y) => {
    let line = "";
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x++;
      line += `M${from} ${y}.5h${x - from + 1}`;
    }
    return line;
  });
  return { path: path.join(""), size };
}
