import { isIP } from "node:net";
import { plainText } from "#lib/plain-text.ts";

const MAX_CHARACTERS = 60;
/** Marks that could end our quotation, so that the rest would read as our own text. */
const QUOTATION_MARKS = /["“”„‟«»〝〞〟＂]/g;
/** Marks by which mail programs recognise a web address, a mail address or a path, and make it a link. Some stand for a dot in a host name. */
const MARKS_OF_ADDRESSES = /[.:/\\@\u3002\uff0e\uff0f\uff1a\uff20\uff61](?=\S)/g;

/**
 * Returns text of a person in quotation marks, at most 60 characters of it, or an empty string if nothing of it can be shown. A space after
 * each mark of an address keeps mail programs from making a link of it: `“Pay at evil. example”`.
 */
export function quoted(text: string): string {
  const plain = plainText(plainText(text).replace(QUOTATION_MARKS, "")).replace(MARKS_OF_ADDRESSES, "$& ");
  const characters = Array.from(plain);
  const shown = characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join("")}…` : plain;
  return shown === "" ? "" : `“${shown}”`;
}

/** As `MARKS_OF_ADDRESSES`, but not within a number or a time: 4,000.00 and 14:32 stay as they are. */
const MARKS_OUTSIDE_NUMBERS =
  /(?<!\d)[.:/\\@\u3002\uff0e\uff0f\uff1a\uff20\uff61](?=\S)|[.:/\\@\u3002\uff0e\uff0f\uff1a\uff20\uff61](?=[^\s\d])/g;

/** Returns a sentence of ours that may repeat a name of people, with a space after each mark of an address, so that mail programs make no link of it. */
export const withoutLinks = (text: string): string => plainText(text).replace(MARKS_OUTSIDE_NUMBERS, "$& ");

/** Returns an IP address as it is, and any other text quoted. */
export const quotedAddress = (address: string): string => (isIP(address) === 0 ? quoted(address) : address);
