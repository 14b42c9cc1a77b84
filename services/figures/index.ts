export { advanceFigures } from "./advance-figures.ts";
export { readFigures } from "./read-figures.ts";
export { rebuildFigures } from "./rebuild-figures.ts";
