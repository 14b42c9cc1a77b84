import { english } from "./english.ts";
import { hausa } from "./hausa.ts";
import { igbo } from "./igbo.ts";
import { pidgin } from "./pidgin.ts";
import type { Words } from "./words.ts";
import { yoruba } from "./yoruba.ts";

interface Spoken {
  /** The language's own name for itself. */
  name: string;
  words: Words;
}

/** The languages by BCP 47 tag. English is first; the others follow by number of speakers in Nigeria. */
export const LANGUAGES = {
  en: { name: "English", words: english },
  pcm: { name: "Pidgin", words: pidgin },
  ha: { name: "Hausa", words: hausa },
  yo: { name: "Yorùbá", words: yoruba },
  ig: { name: "Igbo", words: igbo },
} as const satisfies Record<string, Spoken>;

export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_TAGS: readonly Language[] = ["en", "pcm", "ha", "yo", "ig"];

export { fill, fillText, type Words } from "./words.ts";
