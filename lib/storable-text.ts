/** Control characters except tab and line breaks. PostgreSQL cannot store NUL, and ordinary text does not contain the others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for these characters
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Returns whether the database can store a text, and search for it. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !UNPRINTABLE.test(text);

/** Returns a text in which the replacement character (U+FFFD) stands for each character that the database cannot store. */
export const storable = (text: string): string => text.toWellFormed().replace(new RegExp(UNPRINTABLE, "g"), "\ufffd");
