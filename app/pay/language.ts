import Negotiator from "negotiator";
import { LANGUAGE_TAGS, type Language } from "#components/pay/words/index.ts";

/** What the switch has chosen (`?lang=`), else what the browser asks for, else English. */
export function languageOf(request: Request, chosen: string | null): Language {
  const choice = LANGUAGE_TAGS.find((tag) => tag === chosen);
  if (choice) return choice;
  const accepted = new Negotiator({ headers: { "accept-language": request.headers.get("accept-language") ?? "en" } });
  const preferred = accepted.language([...LANGUAGE_TAGS]);
  return LANGUAGE_TAGS.find((tag) => tag === preferred) ?? "en";
}
