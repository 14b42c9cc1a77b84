import type { Flow } from "../flow.ts";
import { checkout } from "./checkout.ts";
import { events } from "./events.ts";

/** Everything that the campaign crashes. */
export const flows: Flow[] = [checkout, events];
