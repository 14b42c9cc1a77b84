/** Returns a parameter of a page's query, or undefined if it is missing or given twice. */
export const one = (given: string | string[] | undefined): string | undefined => (typeof given === "string" ? given : undefined);
