/** The digit that makes a card number valid: ISO/IEC 7812-1, annex B. */
export function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, character, i) => {
    const value = Number(character) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

const CARD_NUMBER_LENGTHS = [13, 14, 15, 16, 17, 18, 19];

/** Whether somebody has written a card number into a text, with or without separators. */
export function holdsCardNumber(text: string): boolean {
  const runs = text.replaceAll(/(?<=\d)[ -](?=\d)/g, "").match(/\d{13,}/g) ?? [];
  return runs.some((run) => CARD_NUMBER_LENGTHS.some((length) => windowsOf(run, length).some(isValid)));
}

const windowsOf = (run: string, length: number) =>
  Array.from({ length: Math.max(0, run.length - length + 1) }, (_, i) => run.slice(i, i + length));
const isValid = (number: string) => luhnDigit(number.slice(0, -1)) === Number(number.at(-1));
