export { advanceFigures } from "./advance-figures.ts";
export { type Figures, readFigures } from "./read-figures.ts";
export { rebuildFigures } from "./rebuild-figures.ts";
