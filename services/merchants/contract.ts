import { z } from "zod";

export const AreaParams = z.object({ area: z.string().meta({ description: "checkout, cards or vtu." }) });

/** Whether an area is on, and since when somebody asks for it. */
export const AreaRequestObject = z.object({
  area: z.enum(["checkout", "cards", "vtu"]),
  is_on: z.boolean(),
  requested_at: z.iso.datetime().nullable().meta({ description: "Since when operators see the request. Null where none is open." }),
});
