import type { z } from "zod";
import type { PulseObject } from "./contract.ts";
import type { Pulse } from "./read-pulse.ts";

/** The most unseen alerts that are counted. For more, the badge shows "99+". */
const MAX_COUNT = 99;

export function presentPulse({ sequence, unseenAlerts, latestAlertId }: Pulse): z.output<typeof PulseObject> {
  return {
    sequence: Number(sequence),
    alerts: { count: Math.min(unseenAlerts, MAX_COUNT), ...(unseenAlerts > MAX_COUNT && { more: true }), latest_id: latestAlertId },
  };
}
