import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary as commonWords } from "@zxcvbn-ts/language-common";
import { dictionary as englishWords } from "@zxcvbn-ts/language-en";
import { invalid } from "#lib/problem.ts";

const MIN_LENGTH = 12;
/** The longest password. Longer ones would let a stranger keep the server busy with hashing. */
const MAX_LENGTH = 128;
/** The least score, of 0 to 4. With 3, a password withstands about 10^8 guesses. */
const MIN_SCORE = 3;

/** The estimator's time grows with the square of the length and more. If the beginning is good enough, the password is. */
const MAX_JUDGED = 40;
/** The ways in which the estimator reads digits and signs as letters: `4` as `a`. With its 100 ways a password may take a third of a second. */
const MAX_READINGS = 8;
/** At most this many texts about the person, and this much of each, are searched in the password. */
const MAX_KNOWN = 3;
const MAX_KNOWN_LENGTH = 100;

/** The estimator counts several known words in a row as a phrase. But a person who knows the owner tries these words first. */
const MIN_BESIDE_KNOWN = 6;

let estimator: ZxcvbnFactory | undefined;

/** Returns the estimator. Its dictionaries take a few megabytes, so a process loads them when the first password is judged. */
const strength = (): ZxcvbnFactory => {
  estimator ??= new ZxcvbnFactory({
    ...{ dictionary: { ...commonWords, ...englishWords }, graphs: adjacencyGraphs },
    l33tMaxSubstitutions: MAX_READINGS,
  });
  return estimator;
};

/**
 * Throws VALIDATION_ERROR for a password that is too short, too long, or easy to guess with the person's name, email and
 * business (`known`). Any character is allowed, and no kind of character is required. `param` is the field that the problem names.
 */
export function requireGoodPassword(password: string, known: string[], param = "password"): void {
  if ([...password].length > MAX_LENGTH) throw invalid(param, `Use at most ${MAX_LENGTH} characters.`);
  // As it is hashed: letters of another width or encoding are the same password.
  const characters = [...password.normalize("NFKC")];
  if (characters.length < MIN_LENGTH)
    throw invalid(param, `Use at least ${MIN_LENGTH} characters. A few words in a row are easy to remember.`);
  const judged = characters.slice(0, MAX_JUDGED).join("");
  const words = known.slice(0, MAX_KNOWN).flatMap((text) => wordsOf(text.slice(0, MAX_KNOWN_LENGTH).normalize("NFKC")));
  if (strength().check(judged, words).score < MIN_SCORE || charactersBeside(words, judged) < MIN_BESIDE_KNOWN) {
    throw invalid(param, "This is easy to guess: it is common, or made of your name, email or business. Use other words.");
  }
}

/** Returns how many letters and digits a password has beside known words. */
function charactersBeside(words: string[], password: string): number {
  const longestFirst = words.map((word) => word.toLowerCase()).toSorted((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, " "), password.toLowerCase());
  return [...rest.replaceAll(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]/gu, "")].length;
}

/** Returns a text and its parts: `ada@shop.example` also as `ada`, `shop` and `example`. */
const wordsOf = (text: string): string[] => [text, ...text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)];
