import type { Flow } from "../flow.ts";
import { bulk } from "./bulk.ts";
import { cards } from "./cards.ts";
import { checkout } from "./checkout.ts";
import { events } from "./events.ts";
import { liveBanks } from "./live-banks.ts";
import { payouts } from "./payouts.ts";
import { refunds } from "./refunds.ts";
import { vtu } from "./vtu.ts";

/** All flows of the campaign. */
export const flows: Flow[] = [checkout, cards, vtu, bulk, payouts, refunds, liveBanks, events];
