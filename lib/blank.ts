/** Characters that show nothing: spaces, characters of zero width, and the blank pattern of Braille. */
const SHOWS_NOTHING = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Returns whether a text shows nothing on a screen. */
export const isBlank = (text: string): boolean => SHOWS_NOTHING.test(text);
