import { createHmac } from "node:crypto";
import { luhnDigit } from "#lib/luhn.ts";
import { keyFor } from "#lib/secrets.ts";

/** Test ranges of the schemes: no real card begins like this. */
const BIN: Record<string, string> = { VISA: "42424242", MASTERCARD: "55555555" };
const DERIVED_DIGITS = 7;

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
