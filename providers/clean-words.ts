const SPACES = /[\t\n\r]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are to be replaced
const UNPRINTABLE = /[\u0000-\u001f\u007f]/g;

/** Returns text without NUL, lone surrogates and control characters, so that PostgreSQL, JSON and a log line can store it. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll(SPACES, " ").replaceAll(UNPRINTABLE, "\ufffd");

/**
 * Wraps an adapter so that every text in its answers is clean. A provider may write any character into a name, and that must not delay
 * money. References (a session id) are changed too. If the provider then does not know such a reference, operators are alerted.
 */
export function withCleanWords<Adapter extends object>(adapter: Adapter): Adapter {
  const wrapped = Object.entries(adapter).map(([name, part]) => [name, typeof part === "function" ? cleaned(part) : part]);
  return Object.fromEntries(wrapped) as Adapter;
}

const cleaned =
  (method: (...given: unknown[]) => unknown) =>
  (...given: unknown[]): unknown => {
    const answer = method(...given);
    return answer instanceof Promise ? answer.then(clean) : clean(answer);
  };

function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, clean(part)]));
}
