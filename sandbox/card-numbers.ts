import { createHmac } from "node:crypto";
import { keyFor } from "#lib/secrets.ts";

/** Test ranges of the schemes: no real card begins like this. */
const BIN: Record<string, string> = { VISA: "42424242", MASTERCARD: "55555555" };
const DERIVED_DIGITS = 7;

/** The digit that makes a card number valid: ISO/IEC 7812-1, annex B. */
export function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, character, i) => {
    const value = Number(character) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

export interface Numbers {
  number: string;
  cvv: string;
}

/** A card's number and CVV, which exist nowhere else: they follow from its serial under a key. */
export function numbersOf(brand: string, serial: bigint): Numbers {
  const digest = createHmac("sha256", keyFor("sandbox-card-numbers")).update(String(serial)).digest();
  const derived = String(digest.readBigUInt64BE(0) % 10n ** BigInt(DERIVED_DIGITS)).padStart(DERIVED_DIGITS, "0");
  const digits = `${BIN[brand] ?? BIN.VISA}${derived}`;
  return { number: `${digits}${luhnDigit(digits)}`, cvv: String(digest.readUInt32BE(8) % 1_000).padStart(3, "0") };
}
