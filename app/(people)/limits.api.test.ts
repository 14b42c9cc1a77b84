import { expect, test } from "vitest";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";

withDatabase();
// Ten pages or four forms at once, then five pages a second.
const app = withApp({ PUBLIC_REQUESTS_PER_SECOND: "20", TRUSTED_PROXIES: "127.0.0.1, ::1" }, { pages: true });

const TIMES = 60;

test.each([
  ["opens pages", (headers: Record<string, string>) => fetch(`${app.url}/sign-up`, { headers })],
  [
    "asks for passkeys",
    (headers: Record<string, string>) =>
      fetch(`${app.url}/sign-in/passkey/options`, {
        method: "POST",
        headers: { ...headers, Origin: app.url, "Content-Type": "application/json" },
        body: '{"isSecondStep":false}',
      }),
  ],
])("a network that %s without end is told to wait, and another one is served", async (what, ask) => {
  const at = (address: string) => ask({ "x-forwarded-for": address });
  const network = what.length;
  const answers = await Promise.all(Array.from({ length: TIMES }, () => at(`198.51.100.${network}`)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(refused.length).toBeGreaterThan(TIMES / 3);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await at(`203.0.113.${network}`)).status).toBe(200);
});
