import { z } from "zod";
import { asciiEmail } from "#lib/ascii-email.ts";
import { type IdKind, idIn } from "#lib/ids.ts";
import { containsCardNumber } from "#lib/luhn.ts";
import { toE164 } from "#lib/phone.ts";
import { plainText } from "#lib/plain-text.ts";
import { isLinkReference } from "#lib/references.ts";
import { typedText } from "#lib/typed-text.ts";
import { toRecipientNumber } from "../vtu/index.ts";
import { MAX_TEXT } from "./contract.ts";

/** A kind of value that a text may be, with the value in the form of our tables. */
export type Shape =
  | { type: "id"; kind: IdKind; id: string }
  | { type: "reference"; reference: string }
  | { type: "account"; accountNumber: string }
  | { type: "session"; sessionIds: string[] }
  | { type: "phone"; phone: string }
  | { type: "recipient"; recipient: string }
  | { type: "last4"; last4: string }
  | { type: "email"; email: string }
  | { type: "cardholder"; id: number };

const QUOTES = /^[\s"'`“”„‘’‚«»<>]+|[\s"'`“”„‘’‚«»<>,;.]+$/g;
const SEPARATORS = /[\s-]/g;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|[^\s@]*\/pay\/)/i;

const ACCOUNT_NUMBER = /^\d{10}$/;
const CARDHOLDER_ID = /^[1-9]\d{0,14}$/;
/** Numbers of accounts, meters and cardholders have fewer digits than this, and bank sessions have more. */
const CARD_NUMBER = /(?<!\d)\d{16,19}(?!\d)/g;
/** A masked card number, or the last four digits alone. */
const LAST_FOUR = /^[*•●·.x]*(\d{4})$/i;
/** The characters of bank sessions. Banks choose their ids freely, but no adapter has ids with other characters. */
const SESSION = /^[\w-]{1,64}$/;
const Email = z.email().max(MAX_TEXT);

/** Returns every shape that a text may have. Empty if it has none; then no query is needed. */
export function shapesOf(text: string): Shape[] {
  if (text.length > MAX_TEXT) return [];
  const name = nameIn(typedText(plainText(text)).replaceAll(QUOTES, ""));
  const compact = name.replaceAll(SEPARATORS, "");
  const known = idIn(compact);
  // An id of ours is never the id of a bank's transfer.
  if (known) return [{ type: "id", ...known }];
  // A card's number is never used in a query. Its last four digits find the card.
  const cardNumber = isNameOfLink(compact.toUpperCase()) ? undefined : compact.match(CARD_NUMBER)?.find(containsCardNumber);
  if (cardNumber !== undefined) return [{ type: "last4", last4: cardNumber.slice(-4) }];
  return [...namesOfLinks(compact), ...namesOfPeople(name, compact), ...namesOfTransfers(name, compact)];
}

/** Returns the part of a pasted address that has an id: the text after `/pay/`, or the end of the path. Returns other text unchanged. */
function nameIn(text: string): string {
  if (!ADDRESS.test(text)) return text.replace(/^mailto:/i, "");
  const parts = text
    .replace(/[?#].*$/, "")
    .split("/")
    .filter(Boolean);
  return parts[parts.indexOf("pay") + 1 || parts.length - 1] ?? "";
}

/** An order number is a link's id without its prefix. */
const linkOfOrderNo = (text: string) => idIn(`pl_${text}`);
const isNameOfLink = (text: string) => linkOfOrderNo(text) !== undefined || isLinkReference(text);

function namesOfLinks(compact: string): Shape[] {
  const upper = compact.toUpperCase();
  const link = linkOfOrderNo(upper);
  const shapes: Shape[] = link ? [{ type: "id", ...link }] : isLinkReference(upper) ? [{ type: "reference", reference: upper }] : [];
  return ACCOUNT_NUMBER.test(compact) ? [...shapes, { type: "account", accountNumber: compact }] : shapes;
}

function namesOfPeople(name: string, compact: string): Shape[] {
  const phone = toE164(name);
  const recipient = toRecipientNumber(compact);
  const last4 = LAST_FOUR.exec(compact)?.[1];
  const email = Email.safeParse(asciiEmail(name).toLowerCase());
  return [
    ...(phone === undefined ? [] : [{ type: "phone" as const, phone }]),
    ...(recipient === undefined ? [] : [{ type: "recipient" as const, recipient }]),
    ...(last4 === undefined ? [] : [{ type: "last4" as const, last4 }]),
    ...(email.success ? [{ type: "email" as const, email: email.data }] : []),
    ...(CARDHOLDER_ID.test(compact) ? [{ type: "cardholder" as const, id: Number(compact) }] : []),
  ];
}

/** Bank sessions are case-sensitive, so a session is searched as pasted, in capitals and in small letters. */
function namesOfTransfers(name: string, compact: string): Shape[] {
  const notations = [name, compact].flatMap((text) => [text, text.toUpperCase(), text.toLowerCase()]);
  const sessionIds = [...new Set(notations)].filter((text) => SESSION.test(text));
  return sessionIds.length > 0 && isSession(name) ? [{ type: "session", sessionIds }] : [];
}

/** A session pasted with spaces consists of digits only. Other text with spaces is a sentence. */
const isSession = (name: string): boolean => SESSION.test(name) || /^[\d\s-]+$/.test(name);
