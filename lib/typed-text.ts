/** Characters that no screen shows: messengers and address books copy a number between direction marks. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Hyphens and dashes of all kinds, and the minus sign. */
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
/** Digits of Arabic, Persian and N'Ko. Each run begins at a multiple of 16. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9]/g;

/** Text without raised, circled and similar numerals, such as footnote marks. NFKC would turn them into digits of the number. */
const NOT_RAISED = /\P{No}+/gu;

/**
 * Returns a typed or pasted number or word in plain characters: in NFKC, so that full-width letters and digits become plain ones, without
 * invisible characters, with the digits 0 to 9 and the hyphen `-`.
 */
export const typedText = (text: string): string =>
  text
    .replaceAll(NOT_RAISED, (part) => part.normalize("NFKC"))
    .replaceAll(INVISIBLE, "")
    .replaceAll(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(DASHES, "-")
    .trim();

/** Returns a number of a meter, a smart card or an account without spaces and hyphens, in capitals. */
export const compactNumber = (text: string): string => typedText(text).replaceAll(/[\s-]/g, "").toUpperCase();
