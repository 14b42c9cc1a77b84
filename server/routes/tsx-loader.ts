import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { transformSync } from "oxc-transform";

const TSX = /^file:.*\.tsx$/;

// Node strips types from .ts files itself, but not from .tsx. Some routes import .tsx files, so this loader compiles them on import.
registerHooks({
  load(url, context, nextLoad) {
    if (!TSX.test(url)) return nextLoad(url, context);
    const file = fileURLToPath(url);
    const { code, errors } = transformSync(file, readFileSync(file, "utf8"), { jsx: { runtime: "automatic", development: false } });
    if (errors.length > 0) throw new SyntaxError(`${file}: ${errors.map(({ message }) => message).join("; ")}`);
    return { format: "module", source: code, shortCircuit: true };
  },
});
