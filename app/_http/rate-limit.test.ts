import { expect, test, vi } from "vitest";
import { newId } from "#lib/ids.ts";
import { countPageOfSession, countRequest, SESSION_RATE } from "./rate-limit.ts";

const NOW_MS = 1_000;
const requestOf = (key: string) => countRequest({ name: "session", key, ...SESSION_RATE }, NOW_MS);

test("pages and requests of a session empty one bucket, and another session has its own", () => {
  const [mine, other] = [newId("session"), newId("session")];
  for (let n = 0; n < 14; n++) expect(countPageOfSession(mine, 4, NOW_MS)).toBe(0);
  for (let n = 0; n < 3; n++) requestOf(mine);
  expect(countPageOfSession(mine, 4, NOW_MS)).toBe(1);
  requestOf(mine);
  expect(() => requestOf(mine)).toThrow("Too many requests");
  expect(countPageOfSession(other, 4, NOW_MS)).toBe(0);
  expect(countPageOfSession(mine, 4, NOW_MS + 200)).toBe(0);
});

test("the server's copy of the module and that of Next's bundle count in the same buckets", async () => {
  const mine = newId("session");
  for (let n = 0; n < 60; n++) requestOf(mine);
  vi.resetModules();
  const copy = await import("./rate-limit.ts");
  expect(copy.countPageOfSession).not.toBe(countPageOfSession);
  expect(copy.countPageOfSession(mine, 4, NOW_MS)).toBe(1);
});
