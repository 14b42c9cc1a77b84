import { type FAULTS, orderFault as order, withFaults as withAny } from "../faults.ts";
import type { SandboxIssuerName } from "./issuer-name.ts";
import { Refused } from "./refusals.ts";

/** Orders a fault for the next operation of a kind, of one card or of any (`*`). */
export const orderFault = (
  issuer: SandboxIssuerName,
  { operation, card, fault }: { operation: string; card: string; fault: (typeof FAULTS)[number] },
) => order(issuer, { operation, subject: card, fault });

/** Returns the answer of `run`, unless a fault is ordered. Throws `Refused` for an ordered refusal. */
export const withFaults = (issuer: SandboxIssuerName, operation: string, card: string, run: () => Promise<Response>): Promise<Response> =>
  withAny(issuer, operation, card, {
    run,
    refuse: () => {
      throw new Refused("not_today");
    },
  });
