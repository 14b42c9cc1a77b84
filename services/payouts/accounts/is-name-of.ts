/** Legal forms, and words without a meaning of their own. A bank's name of an account may have them, leave them out, or write them otherwise. */
const FORMS = new Set(["LTD", "LIMITED", "PLC", "LLC", "INC", "LLP", "GTE", "THE", "AND"]);

/** So many letters tell one name from another. */
const MIN_LETTERS = 3;

/** Returns the words of a name that tell whose it is, sorted: upper case without accents, apostrophes and legal forms. */
function wordsOf(name: string): string[] {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").replace(/['’`]/g, "").toUpperCase();
  return [...new Set(plain.split(/[^\p{L}\p{N}]+/u))].filter((word) => word !== "" && !FORMS.has(word)).toSorted();
}

/** Returns whether the name that a bank has of an account is a business's: the same words in any order, whatever legal form each writes. */
export function isNameOf(businessName: string, accountName: string): boolean {
  const words = wordsOf(businessName).join(" ");
  return words.length >= MIN_LETTERS && words === wordsOf(accountName).join(" ");
}
