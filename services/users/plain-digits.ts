/** Returns a code of digits as it was sent: people type and paste it with spaces or a hyphen between the digits. */
export const plainDigits = (typed: string): string => typed.replaceAll(/[\s-]/g, "");
