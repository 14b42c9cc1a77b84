import { sql } from "#db/client.ts";
import { codeMailedTo, PASSWORD } from "#services/users/users.fixture.ts";
import { type ApiAnswer, apiClient } from "#testing/api.ts";
import type { App } from "#testing/app.ts";
import { pageHeaders } from "./page-headers.fixture.ts";

type Headers = Record<string, string | undefined>;

/** Returns a function that calls an endpoint as a page does. `changes` replaces a header, or leaves it out where it is undefined. */
export function pageClient(app: App, { token }: { token: string }, merchantId: string) {
  const client = apiClient(app, undefined);
  return (method: string, path: string, { body, changes = {} }: { body?: unknown; changes?: Headers } = {}): Promise<ApiAnswer> => {
    const given = Object.entries({ ...pageHeaders(app, token, merchantId), ...changes });
    const headers = Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    return client.call(method, path, { headers, ...(body !== undefined && { body }) });
  };
}

/** Returns the proof with which a member without a second factor adds the first one: the password, and the code of a mail. */
export async function firstFactorProof(app: App, member: { token: string; userId: string }, merchantId: string) {
  // Lifts the wait before the next code, so that a test can ask for another one at once.
  await sql()`update mailed_codes set created_at = created_at - interval '2 minutes' where user_id = ${member.userId}`;
  const asked = await pageClient(app, member, merchantId)("POST", "/api/dashboard/two-factor/mailed-code", {
    body: { password: PASSWORD },
  });
  if (asked.status !== 200) throw new Error(`no code was mailed: ${asked.status}`);
  const [user] = await sql()<{ email: string }[]>`select email from users where id = ${member.userId}`;
  return { password: PASSWORD, code: await codeMailedTo(user?.email ?? "") };
}
