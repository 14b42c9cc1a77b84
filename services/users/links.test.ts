import { afterEach, expect, test, vi } from "vitest";
import { transaction } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { mailNewDevice } from "./links.ts";
import { anEmail, aStranger, mailsTo } from "./users.fixture.ts";

// A process reads its settings once. These tests change them, so each call reads them again.
vi.mock("#lib/env.ts", async (original) => {
  const env = await original<typeof import("#lib/env.ts")>();
  return { ...env, settings: () => env.readSettings(process.env) };
});

withDatabase();
afterEach(() => {
  delete process.env.OJA_TEST_MODE;
});

test.each([
  ["1", "/test/security"],
  ["0", "/live/security"],
])("with OJA_TEST_MODE=%s the mail about a new browser leads to %s, where sessions are ended", async (testMode, path) => {
  process.env.OJA_TEST_MODE = testMode;
  const email = anEmail();
  await transaction((tx) => mailNewDevice(tx, aStranger(), { name: "Ada Obi", email }, "Test browser"));
  const [mail] = await mailsTo(email);
  expect(/http\S+/.exec(mail?.text ?? "")?.[0]).toMatch(new RegExp(`^https?://[^/]+${path}$`));
});
