import { typedText } from "#lib/typed-text.ts";

/** Returns a code of digits as it was sent: people type and paste it with spaces or hyphens between the digits, and in digits of other scripts. */
export const plainDigits = (typed: string): string => typedText(typed).replaceAll(/[\s-]/g, "");
