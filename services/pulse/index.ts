export { PulseObject } from "./contract.ts";
export { presentPulse } from "./present.ts";
export { readPulse } from "./read-pulse.ts";
