import { type FAULTS, orderFault as order, withFaults as withAny } from "../faults.ts";
import { type House, Refused } from "./house.ts";

/** Asks for a fault at the next operation of that kind: of one card, or of any (`*`). */
export const orderFault = (house: House, { operation, card, fault }: { operation: string; card: string; fault: (typeof FAULTS)[number] }) =>
  order(house, { operation, subject: card, fault });

/** Returns what `run` returns, unless a fault is ordered. */
export const withFaults = (house: House, operation: string, card: string, run: () => Promise<Response>): Promise<Response> =>
  withAny(house, operation, card, {
    run,
    refuse: () => {
      throw new Refused("not_today");
    },
  });
