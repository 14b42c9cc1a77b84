/** Joins class names and skips those that are false or absent. */
export const classes = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(" ");
