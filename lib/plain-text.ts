/** Characters that turn the direction of what follows them, or that no screen shows. */
const UNRULY = /[\p{Cc}\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\u3164\ufeff\uffa0]/gu;
/** Marks that stand on one letter: the fifth and on would climb over the line above. */
const TOWERS = /(\p{Mn}{4})\p{Mn}+/gu;
const BREAKS = /[\r\n\t\u2028\u2029]+/g;

/** Somebody else's text as it may stand in a line of ours: nothing in it reaches beyond its end. */
export function plainText(text: string): string {
  return text.toWellFormed().replace(BREAKS, " ").replace(UNRULY, "").replace(TOWERS, "$1").trim();
}

const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The first character as a person sees it, in upper case: an emoji of five code points is one. */
export function initialOf(text: string): string {
  const [first] = SEGMENTER.segment(plainText(text));
  return first?.segment.toUpperCase() ?? "";
}
