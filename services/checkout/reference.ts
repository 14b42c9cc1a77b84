/** A reference as we make them; anything else cannot exist and is not looked for. */
const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{26}$/;
export const isReference = (text: string) => REFERENCE.test(text);
