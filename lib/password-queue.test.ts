import { expect, test } from "vitest";
import { times } from "#testing/until.ts";
import { hashPassword } from "./passwords.ts";

test("of 300 strangers who ask for hashes at once 34 get one, and a known person waits for only a few of them", async () => {
  let done = 0;
  const flood = times(300, () => hashPassword("seven lorries of ripe plantain", "stranger")).map((each) =>
    each.then(
      () => ++done && "hashed",
      (error) => error,
    ),
  );
  await hashPassword("seven lorries of ripe plantain", "known");
  expect(done).toBeLessThanOrEqual(4);
  const results = await Promise.all(flood);
  expect(results.filter((result) => result === "hashed")).toHaveLength(34);
  expect(results.find((result) => result !== "hashed")).toMatchObject({ code: "RATE_LIMITED", headers: { "Retry-After": "2" } });
  expect(await hashPassword("seven lorries of ripe plantain", "stranger")).toMatch(/^\$argon2id/);
});
