/** Characters that turn the direction of what follows them, or that no screen shows. */
const UNRULY = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const BREAKS = /[\r\n\t\u2028\u2029]+/g;

/** Somebody else's text as it may stand in a line of ours: nothing in it reaches beyond its end. */
export function plainText(text: string): string {
  return text.toWellFormed().replace(BREAKS, " ").replace(UNRULY, "").trim();
}

const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The first character as a person sees it, in upper case: an emoji of five code points is one. */
export function initialOf(text: string): string {
  const [first] = SEGMENTER.segment(plainText(text));
  return first?.segment.toUpperCase() ?? "";
}
