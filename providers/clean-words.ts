const SPACES = /[\t\n\r]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it replaces
const UNPRINTABLE = /[\u0000-\u001f\u007f]/g;

/** Text as PostgreSQL, JSON and a log line can bear it: no NUL, no lone surrogate, no control character. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll(SPACES, " ").replaceAll(UNPRINTABLE, "\ufffd");

/**
 * Wraps an adapter so that every text in its answers is clean. A provider may write anything into a name, and money must not wait for its
 * spelling. Names that come back to the provider (a session id) are changed too: it may not know them, which is told to operators.
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
