import { readFileSync } from "node:fs";
import { sql } from "#db/client.ts";
import { containsCardNumber } from "#lib/luhn.ts";
import { open } from "#lib/sealed.ts";
import { PASSWORD } from "./people.ts";

/** Secrets that have a form of their own. */
const FORMS: readonly [what: string, form: RegExp][] = [
  ["a secret key", /sk_(?:test|live)_[0-9A-Za-z]{38}/g],
  ["a secret of a webhook endpoint", /whsec_[A-Za-z0-9+/]{20,}/g],
  ["a session's cookie", /eyJhbGciOiJkaXIi[\w-]*\.[\w-]*\.[\w-]+/g],
  ["a secret of an authenticator app", /otpauth:\/\//g],
];
/** The sandbox's cards begin with these digits. Ids of ours may too, so the check digit must fit. */
const CARD_NUMBER = /(?:42424242|55555555)\d{8}/g;
/** A mail that was not sent keeps its text, sealed. */
const LINK_TOKEN = /[?&]token=([\w.-]{20,})/g;

/**
 * Searches the log and every table for secrets in the clear, after all journeys. Returns what it finds, by place. The sandbox's tables are those of
 * other parties. Throws an Error where there is no log to search.
 */
export async function findSecrets(logFile: string): Promise<string[]> {
  const logText = readFileSync(logFile, "utf8");
  const tokens = await tokensMailed();
  if (!logText.includes('"msg":"request"')) throw new Error("the journeys left no log of requests");
  const known = [...tokens, PASSWORD];
  const found = secretsIn(logText, known).map((what) => `the log has ${what}`);
  for (const { name } of await tables()) {
    const rows = await sql()<{ text: string }[]>`select t::text as text from ${sql().unsafe(name)} t`;
    const all = rows.map(({ text }) => text).join("\n");
    found.push(...secretsIn(all, known).map((what) => `the table ${name} has ${what}`));
  }
  return found;
}

const tables = () => sql()<{ name: string }[]>`
  select quote_ident(table_name) as name from information_schema.tables
  where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;

/** Returns the tokens of all links that were mailed. */
async function tokensMailed(): Promise<string[]> {
  const mails = await sql()<{ id: string; sealed_body: string }[]>`select id, sealed_body from mails where sealed_body is not null`;
  return mails.flatMap(({ id, sealed_body: body }) =>
    [...JSON.parse(open("mail-body", body, id)).text.matchAll(LINK_TOKEN)].map(([, token]) => String(token)),
  );
}

function secretsIn(text: string, known: readonly string[]): string[] {
  const forms = FORMS.filter(([, form]) => text.search(form) >= 0).map(([what]) => what);
  const cards = (text.match(CARD_NUMBER) ?? []).some(containsCardNumber) ? ["a card number"] : [];
  const texts = known.some((secret) => text.includes(secret)) ? ["a password, or a token of a link"] : [];
  return [...forms, ...cards, ...texts];
}
