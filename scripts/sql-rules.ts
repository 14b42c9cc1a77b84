import { parseSync } from "oxc-parser";

// Rules against SQL that PostgreSQL accepts, but that Citus (tables over several servers) refuses or sends to every server (docs/scale.md).

/** A statement, or a part of one, in a source file. Each `${…}` of a template is replaced by the code between its braces. */
export interface SqlText {
  text: string;
  line: number;
  /** The method of Drizzle whose argument it is, if any. */
  within: "returning" | "onConflictDoUpdate" | "set" | undefined;
}

/** Functions of the current time, and expressions that depend on the session's time zone. */
const TIME = /\b(?:now|(?:clock|statement|transaction)_timestamp)\(\)|\bcurrent_timestamp\b/;
/** A time of a row plus or minus an interval. A difference of two times needs no time zone. */
const ROW_PLUS = /(?:\w+_(?:at|until)|\.\w+(?:At|Until))\}?\s*[+-](?!\s*\(?(?:\w+\.)?\w+_(?:at|until)\b|\$\{\w+\.\w+(?:At|Until)\})/;
const UNSTABLE = new RegExp(`${TIME.source}|${ROW_PLUS.source}|\\bextract\\(|::text\\b|\\bjson_agg\\(|\\bto_jsonb\\(`);
/** These tables stay on one server. */
const STAYS =
  /^ ?(?:insert into|update|with before as \([^()]*\) update) (?:bank_health|catalogues|provider_notices|one_time_accounts|bank_sessions)\b/;
/** A subquery that returns one value is computed before the statement is sent to a server. */
const withoutSubqueries = (text: string) => text.replaceAll(/\(\s*select (?:now|clock_timestamp)\(\)[^()]*\)/g, "VALUE");

/** A comment with which a sweep declares that its statement asks every server. */
const OF_ALL = "/* of all merchants */";

interface Rule {
  name: string;
  breaks: (sql: SqlText) => boolean;
}

/** Returns the text from a keyword to the end of its clause: a closing bracket that it did not open, or the next clause. */
function clausesOf(text: string, begin: RegExp, ends: RegExp): string[] {
  return [...text.matchAll(begin)].map(({ index, 0: found }) => {
    let depth = 0;
    let at = index + found.length;
    for (; at < text.length && depth >= 0; at++) {
      if (text[at] === "(") depth++;
      else if (text[at] === ")") depth--;
      else if (depth === 0 && ends.test(text.slice(at))) break;
    }
    return text.slice(index + found.length, at);
  });
}

/** A condition that names one merchant. */
const OF_ONE = /\b(?:merchant_id|m\.id) = (?:\$|p_merchant\b)/;
const isOfManyWithLimit = (text: string) => / limit /.test(text) && !OF_ONE.test(text);

/** Returns the start and end of the brackets around a position in a text, or of the whole text if there are none. */
function aroundOf(text: string, at: number): [from: number, to: number] {
  let [from, to] = [at, at];
  for (let depth = 0; from > 0; from--) {
    if (text[from - 1] === ")") depth++;
    else if (text[from - 1] === "(" && depth-- === 0) break;
  }
  for (let depth = 0; to < text.length; to++) {
    if (text[to] === "(") depth++;
    else if (text[to] === ")" && depth-- === 0) break;
  }
  return [from, to];
}

const NONE = /^(?!)/;
const conflictsOf = (text: string) => clausesOf(text, /\bdo update\s+set\b/g, /^returning\b/);
const returningsOf = (text: string) => clausesOf(text, /\breturning\b/g, /^into\b/);
const casesOf = (text: string) =>
  [...text.matchAll(/\bcase\b.*?\bend\b/g), ...text.matchAll(/\bcoalesce\([^()]*(?:\([^()]*\)[^()]*)*\)/g)].map(([found]) => found);
/** The text of an UPDATE or DELETE itself, with its conditions but without a surrounding INSERT's target list. */
const changesOf = (text: string) => clausesOf(text, /\bupdate\s+\w+(?:\s+(?:as\s+)?\w+)?\s+set\b|\bdelete from\b/g, NONE);
/** A fragment of a statement, which may be used inside a change. */
const isPart = (text: string) => !/\b(?:select|insert into|update|delete from)\b/.test(text);
/** Returns the parts of a text that may be in a change: the whole of a fragment, or the changes of a statement. */
const inChanges = ({ text, within }: SqlText) => (within === "set" || isPart(text) ? [text] : changesOf(text));

export const RULES: Rule[] = [
  {
    name: "time or a text of it in ON CONFLICT: give it as a value, and take `excluded.…`",
    breaks: ({ text, within }) =>
      conflictsOf(text).some((clause) => UNSTABLE.test(clause)) || (within === "onConflictDoUpdate" && UNSTABLE.test(text)),
  },
  {
    name: "time or a text of it in RETURNING: return the column, and compute with it afterwards",
    breaks: ({ text, within }) =>
      returningsOf(text).some((clause) => UNSTABLE.test(clause)) || (within === "returning" && UNSTABLE.test(text)),
  },
  {
    name: "time in CASE or COALESCE of a change: write `(select now())`",
    breaks: (sql) =>
      inChanges(sql)
        .map(withoutSubqueries)
        .flatMap(casesOf)
        .some((part) => TIME.test(part)),
  },
  {
    name: "a time of the row plus an interval in a change: write `later(…)`",
    breaks: (sql) => inChanges(sql).some((part) => ROW_PLUS.test(part)),
  },
  {
    name: "`clock_timestamp()` in a change: read it before",
    breaks: (sql) => inChanges(sql).some((part) => part.includes("clock_timestamp()")),
  },
  {
    name: "a merchant compared with another row's: compare it with the parameter on both sides",
    breaks: ({ text }) => /\bmerchant_id = \w+\.merchant_id\b/.test(text) && !text.includes(OF_ALL),
  },
  {
    name: "rows of all merchants locked at once: find them, and lock each by its merchant",
    breaks: ({ text }) =>
      [...text.matchAll(/\bfor (?:no key )?(?:update|share)\b|\bfor key share\b/g)]
        .map(({ index }) => text.slice(...aroundOf(text, index)))
        .some((part) => !OF_ONE.test(part)),
  },
  {
    name: "a lookup for each row of a subquery with a limit: read the merchants first, and name them with `= any(…)`",
    breaks: ({ text }) =>
      [...text.matchAll(/(?<!\blateral ?)\( ?select\b/g)]
        .map(({ index }) => aroundOf(text, index + 1))
        .some(
          ([from, to]) =>
            isOfManyWithLimit(text.slice(from, to)) && /^\) (?:as )?\w+(?:,| (?:left |cross |inner )?join) lateral\b/.test(text.slice(to)),
        ),
  },
  { name: "a merchant in an expression: no server follows from it", breaks: ({ text }) => /\bmerchant_id \|\|/.test(text) },
  { name: "a plan that is forced", breaks: ({ text }) => /force_generic_plan|plan_cache_mode/.test(text) },
  { name: "a helper that takes a row", breaks: ({ text }) => /\bledger_available\(/.test(text) },
  {
    name: "CASE with an operand: write the comparison in each WHEN",
    breaks: ({ text }) => /\bcase (?!when\b)[^'"`]*?\bwhen\b/.test(text) && !/\bcase\s+when\b/.test(text),
  },
  {
    name: "a function in the language SQL: a server does not run it with parameters",
    breaks: ({ text }) => /\bcreate function (?!ledger_lacks\b|ledger_refusal\b).*\blanguage sql\b/.test(text),
  },
  {
    // PostgreSQL inlines these into the expressions of PL/pgSQL functions that run where their merchant is, and no server gets them in a statement.
    name: "a rule of the ledger outside its plans",
    breaks: ({ text }) =>
      /\b(?:ledger_lacks|ledger_refusal)\(/.test(text) && !/\bcreate function ledger_(?:plan_\w+|cover|lacks|refusal)\b/.test(text),
  },
];

/** Returns the names of the rules that a text breaks. */
export function brokenBy(sql: SqlText): string[] {
  const text = flat(sql.text);
  return STAYS.test(text) ? [] : RULES.filter(({ breaks }) => breaks({ ...sql, text })).map(({ name }) => name);
}

const flat = (text: string) =>
  text
    .replaceAll(/--.*$/gm, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g, (word) => word.toLowerCase());

const SQL =
  /\b(?:select|insert into|update|delete from|case|returning|coalesce|merchant_id|interval|current_timestamp)\b|\b\w*(?:now|_timestamp)\(\)/i;
type Node = Record<string, unknown> & { type: string; start: number; end: number };
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const METHODS = ["returning", "onConflictDoUpdate", "set"] as const;

/** Returns the texts of a source file that are SQL: its templates and strings that look like a statement or a part of one. */
export function sqlIn(file: string, source: string): SqlText[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: SqlText[] = [];
  const visit = (node: Node, within: SqlText["within"]): void => {
    if (node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")) {
      const text = source.slice(node.start + 1, node.end - 1);
      if (SQL.test(text)) found.push({ text, line: source.slice(0, node.start).split("\n").length, within });
    }
    const method = methodOf(node);
    for (const [name, value] of Object.entries(node)) {
      for (const child of [value].flat()) if (isNode(child)) visit(child, name === "arguments" ? (method ?? within) : within);
    }
  };
  visit(program as unknown as Node, undefined);
  return found;
}

function methodOf({ type, callee }: Node): SqlText["within"] {
  if (type !== "CallExpression" || !isNode(callee) || !isNode(callee.property)) return undefined;
  return METHODS.find((name) => isNode(callee.property) && callee.property.name === name);
}
