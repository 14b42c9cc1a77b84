/** Characters that change the direction of the text after them, or that no screen shows. */
const UNRULY =
  /[\u034f\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;
/** More than four marks on one letter: the fifth and later ones would overlap the line above. */
const TOWERS = /(\p{Mn}{4})\p{Mn}+/gu;
const BREAKS = /[\r\n\t\u2028\u2029]+/g;

/** Returns text of another party so that it is safe within a line of ours: none of its characters affects the text after it. */
export function plainText(text: string): string {
  return text.toWellFormed().replace(BREAKS, " ").replace(UNRULY, "").replace(TOWERS, "$1").trim();
}

const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Returns the first character as a person sees it, in upper case. An emoji of five code points is one character. */
export function initialOf(text: string): string {
  const [first] = SEGMENTER.segment(plainText(text));
  return first?.segment.toUpperCase() ?? "";
}

/** Returns a person's name as others may read it: `C••• E•••` for `Chidi Eze`. */
export const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${[...SEGMENTER.segment(word)][0]?.segment}•••`)
    .join(" ");
