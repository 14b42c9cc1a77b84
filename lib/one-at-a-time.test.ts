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
