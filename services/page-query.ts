import { z } from "zod";
import { instant } from "./fields.ts";

export const PageQuery = z.object({
  limit: z.coerce
    .number({ error: "Send a whole number from 1 to 100." })
    .int("Send a whole number from 1 to 100.")
    .min(1, "Send at least 1.")
    .max(100, "Send at most 100.")
    .default(20)
    .meta({ description: "How many to answer with.", example: 20 }),
  cursor: z
    .string()
    .min(1, "Send next_cursor of the page before, or none.")
    .max(300, "Send next_cursor of the page before.")
    .optional()
    .meta({ description: "`next_cursor` of the page before. Opaque." }),
});

/** The filters of a list by time of creation. `things` names its rows. */
export const createdRange = (things: string) => ({
  created_after: instant.optional().meta({ description: `${things} created at or after this time.` }),
  created_before: instant.optional().meta({ description: `${things} created before this time.` }),
});

export const Pagination = z
  .object({
    next_cursor: z.string().nullable().meta({ description: "Send as `cursor` for the next page; null on the last." }),
    has_more: z.boolean(),
    searched_to: z.iso.datetime().optional().meta({
      description:
        "Set where few rows match the filter and the search stopped before the page was full: how far it has looked. `next_cursor` goes on from there.",
    }),
  })
  .meta({ id: "Pagination" });
