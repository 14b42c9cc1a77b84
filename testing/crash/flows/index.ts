import type { Flow } from "../flow.ts";
import { cards } from "./cards.ts";
import { checkout } from "./checkout.ts";
import { events } from "./events.ts";
import { vtu } from "./vtu.ts";

/** Everything that the campaign crashes. */
export const flows: Flow[] = [checkout, cards, vtu, events];
