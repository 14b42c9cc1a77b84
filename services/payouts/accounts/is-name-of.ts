/** Words that tell the legal form of a business, or nothing. A bank's name of an account may have them, leave them out, or write them otherwise. */
const FORMS = new Set([
  ...["LTD", "LIMITED", "PLC", "LLC", "INC", "LLP", "GTE", "CO", "COMPANY", "ENT", "ENTERPRISE", "ENTERPRISES"],
  ...["VENTURE", "VENTURES", "NIG", "NIGERIA", "INTL", "INTERNATIONAL", "GLOBAL", "SERVICES", "THE", "AND", "OF"],
]);

/** Returns the words of a name that tell whose it is, sorted: upper case without accents, apostrophes and legal forms. */
function wordsOf(name: string): string[] {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").replace(/['’`]/g, "").toUpperCase();
  return [...new Set(plain.split(/[^\p{L}\p{N}]+/u))].filter((word) => word !== "" && !FORMS.has(word)).toSorted();
}

/** Returns whether the name that a bank has of an account is a business's: the same words in any order, whatever legal form each writes. */
export function isNameOf(businessName: string, accountName: string): boolean {
  const words = wordsOf(businessName);
  return words.length > 0 && words.join(" ") === wordsOf(accountName).join(" ");
}
