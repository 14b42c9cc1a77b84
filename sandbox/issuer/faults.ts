import { type FAULTS, orderFault as order, withFaults as withAny } from "../faults.ts";
import type { SandboxIssuerName } from "./issuer-name.ts";
import { Refused } from "./refusals.ts";

/** Asks for a fault at the next operation of that kind: of one card, or of any (`*`). */
export const orderFault = (
  house: SandboxIssuerName,
  { operation, card, fault }: { operation: string; card: string; fault: (typeof FAULTS)[number] },
) => order(house, { operation, subject: card, fault });

/** Returns what `run` returns, unless a fault is ordered. */
export const withFaults = (house: SandboxIssuerName, operation: string, card: string, run: () => Promise<Response>): Promise<Response> =>
  withAny(house, operation, card, {
    run,
    refuse: () => {
      throw new Refused("not_today");
    },
  });
