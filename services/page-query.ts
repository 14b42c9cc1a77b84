import { z } from "zod";

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

export const Pagination = z
  .object({
    next_cursor: z.string().nullable().meta({ description: "Send as `cursor` for the next page; null on the last." }),
    has_more: z.boolean(),
  })
  .meta({ id: "Pagination" });
