/** Returns the check digit that makes a card number valid (ISO/IEC 7812-1, annex B). */
export function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, character, i) => {
    const value = Number(character) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Returns whether a text contains a card number: 13 to 19 digits with a valid check digit, with or without separators. */
export function containsCardNumber(text: string): boolean {
  const joined = text.replaceAll(/(?<=\d)[ -](?=\d)/g, "");
  const runs = [...(text.match(/\d+/g) ?? []), ...(joined.match(/\d+/g) ?? [])];
  return runs.some((run) => /^\d{13,19}$/.test(run) && luhnDigit(run.slice(0, -1)) === Number(run.at(-1)));
}
