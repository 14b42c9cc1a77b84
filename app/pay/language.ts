import Negotiator from "negotiator";
import { LANGUAGE_TAGS, type Language } from "#components/pay/words/index.ts";

/** Browsers send a few languages. Comparing thousands of them would take 5 ms. */
const MAX_HEADER_CHARACTERS = 500;

/** Returns the language that the payer chose (`?lang=`), else the one that the browser prefers, else English. */
export function languageOf(request: Request, chosen: string | null): Language {
  const choice = LANGUAGE_TAGS.find((tag) => tag === chosen);
  if (choice) return choice;
  const header = (request.headers.get("accept-language") ?? "en").slice(0, MAX_HEADER_CHARACTERS);
  const accepted = new Negotiator({ headers: { "accept-language": header } });
  const preferred = accepted.language([...LANGUAGE_TAGS]);
  return LANGUAGE_TAGS.find((tag) => tag === preferred) ?? "en";
}
