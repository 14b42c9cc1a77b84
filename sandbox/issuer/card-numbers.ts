import { createHmac } from "node:crypto";
import { luhnDigit } from "#lib/luhn.ts";
import { keyFor } from "#lib/secrets.ts";

/** Test ranges of the card schemes: no real card begins with these digits. */
const BIN: Record<string, string> = { VISA: "42424242", MASTERCARD: "55555555" };
const DERIVED_DIGITS = 7;

export interface Numbers {
  number: string;
  cvv: string;
}

/** Returns a card's number and CVV, derived from its serial under a key. They are stored nowhere. */
export function numbersOf(brand: string, serial: bigint): Numbers {
  const digest = createHmac("sha256", keyFor("sandbox-card-numbers")).update(String(serial)).digest();
  const derived = String(digest.readBigUInt64BE(0) % 10n ** BigInt(DERIVED_DIGITS)).padStart(DERIVED_DIGITS, "0");
  const digits = `${BIN[brand] ?? BIN.VISA}${derived}`;
  return { number: `${digits}${luhnDigit(digits)}`, cvv: String(digest.readUInt32BE(8) % 1_000).padStart(3, "0") };
}
