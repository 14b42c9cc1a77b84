import { z } from "zod";

/** The longest text that can match one of the search's shapes. */
export const MAX_TEXT = 200;

export const SearchQuery = z.object({
  q: z.string({ error: "Send the text to search for." }).max(MAX_TEXT, `Send at most ${MAX_TEXT} characters.`).meta({
    description:
      "A reference, an order number, an account, a bank session, an id, a phone, a meter, a smart card, four digits or an email.",
  }),
});
