import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

test("calls with one key run one after another, also after one that failed, and other keys do not wait for them", async () => {
  const seen: string[] = [];
  let release = () => {};
  const held = oneAtATime("a", () => new Promise<void>((done) => (release = done)));
  const failing = oneAtATime("a", async () => {
    seen.push("second of a");
    throw new Error("no");
  });
  const last = oneAtATime("a", async () => seen.push("third of a"));
  await oneAtATime("b", async () => seen.push("b"));
  expect(seen).toEqual(["b"]);
  release();
  await held;
  await expect(failing).rejects.toThrow("no");
  await last;
  expect(seen).toEqual(["b", "second of a", "third of a"]);
});

test("a key with its maximum of waiting calls refuses another with 429 without running it, and accepts the next once one has ended", async () => {
  const released = Promise.withResolvers<void>();
  const seen: string[] = [];
  const running = oneAtATime("c", () => released.promise, 1);
  const waiting = oneAtATime("c", async () => seen.push("waiting"), 1);
  const refused = oneAtATime("c", async () => seen.push("refused"), 1);
  await expect(refused).rejects.toMatchObject({ code: "RATE_LIMITED", headers: { "Retry-After": "2" } });
  released.resolve();
  await Promise.all([running, waiting]);
  await oneAtATime("c", async () => seen.push("later"), 1);
  expect(seen).toEqual(["waiting", "later"]);
});

test("a call that throws before it returns a promise rejects, and the call that waits for it runs", async () => {
  const throwing = oneAtATime("d", () => {
    throw new Error("at once");
  });
  const waiting = oneAtATime("d", async () => "runs");
  await expect(throwing).rejects.toThrow("at once");
  expect(await waiting).toBe("runs");
});
