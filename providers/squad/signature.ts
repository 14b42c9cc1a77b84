import { createHmac } from "node:crypto";
import { sameDigest } from "#lib/secrets.ts";

/** The fields that Squad signs, in its order. */
export interface SignedFields {
  transaction_reference: string;
  amount_received: string;
  merchant_reference: string;
}

/** Characters that Squad's own serializer escapes and `JSON.stringify` does not. */
const ESCAPED = /[^\x20-\x7e]|["&'+<>`]/g;

const escaped = (text: string): string =>
  text.replace(ESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`);

/**
 * Returns whether `x-squad-encrypted-body` is the hex HMAC-SHA-512, with our secret key, of these fields alone. Its documentation signs them without
 * spaces, and a published client with one after each comma and colon, so both are taken. Status, date and sender of a notice are not signed.
 */
export function isFromSquad(secretKey: string, fields: SignedFields, signature: string | null): boolean {
  const given = signature?.toLowerCase() ?? "";
  if (!/^[0-9a-f]{128}$/.test(given)) return false;
  return textsOf(fields).some((text) => sameDigest(given, createHmac("sha512", secretKey).update(text).digest("hex")));
}

function textsOf({ transaction_reference, amount_received, merchant_reference }: SignedFields): string[] {
  const fields = { transaction_reference, amount_received, merchant_reference };
  return [JSON.stringify, withEscapes].flatMap((write) => {
    const parts = Object.entries(fields).map(([name, value]) => [JSON.stringify(name), write(value)] as const);
    return [
      `{${parts.map(([name, value]) => `${name}:${value}`).join(",")}}`,
      `{${parts.map(([name, value]) => `${name}: ${value}`).join(", ")}}`,
    ];
  });
}

const withEscapes = (text: string): string => `"${escaped(text)}"`;
