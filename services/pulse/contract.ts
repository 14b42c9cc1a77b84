import { z } from "zod";

/** The data that an open page polls every few seconds. */
export const PulseObject = z.object({
  sequence: z.int().meta({ description: "The number of the last event. Another number than before means that something changed." }),
  alerts: z.object({
    count: z.int().max(99).meta({ description: "Alerts that this member has not seen." }),
    more: z.literal(true).optional().meta({ description: "Set where there are more than `count`." }),
    latest_id: z.string().nullable().meta({ description: "The newest alert, seen or not. Null without any." }),
  }),
});
