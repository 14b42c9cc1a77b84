import type { Flow } from "../flow.ts";
import { cards } from "./cards.ts";
import { checkout } from "./checkout.ts";
import { events } from "./events.ts";

/** Everything that the campaign crashes. */
export const flows: Flow[] = [checkout, cards, events];
