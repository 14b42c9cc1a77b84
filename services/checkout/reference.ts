/** The form of our references. Any other text is unknown without a query. */
const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{26}$/;
export const isReference = (text: string) => REFERENCE.test(text);
