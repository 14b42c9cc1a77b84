import { expect, test } from "vitest";
import { until } from "#testing/until.ts";
import { beginDownload, type DownloadEnd } from "./download.ts";

interface Source {
  parts?: number;
  failsAt?: number;
  checkFailsAt?: number;
  emptyUntil?: number;
}

/** Begins a download of numbered parts of 100 KB, and counts how many of them were read. */
async function aDownload({ parts = 1_000, failsAt, checkFailsAt, emptyUntil = 0 }: Source = {}) {
  const seen = { read: 0, ends: [] as DownloadEnd[], isReturned: false };
  const leaving = new AbortController();
  async function* source(): AsyncGenerator<string, void> {
    try {
      while (seen.read < parts) {
        if (seen.read === failsAt) throw new Error("the database is gone");
        seen.read++;
        yield seen.read <= emptyUntil ? "" : String(seen.read % 10).repeat(100_000);
      }
    } finally {
      seen.isReturned = true;
    }
  }
  const begin = () =>
    beginDownload({
      parts: source(),
      signal: leaving.signal,
      check: async () => {
        if (seen.read === checkFailsAt) throw new Error("the session has ended");
      },
      onEnd: async (end) => {
        seen.ends.push(end);
      },
    });
  return { seen, leaving, begin };
}

test("a part is read only when its client wants it, so at most one is in memory", async () => {
  const { seen, begin } = await aDownload();
  const reader = (await begin()).getReader();
  expect(seen.read).toBe(1);
  for (let taken = 1; taken <= 1_000; taken++) {
    await reader.read();
    expect(seen.read).toBeLessThanOrEqual(taken + 1);
  }
  expect((await reader.read()).done).toBe(true);
  expect(seen.ends).toEqual([{ kind: "whole" }]);
});

test("a search that finds no rows for a long time is read to its end", async () => {
  const { seen, begin } = await aDownload({ parts: 300, emptyUntil: 299 });
  expect(await new Response(await begin()).text()).toBe("0".repeat(100_000));
  expect(seen.ends).toEqual([{ kind: "whole" }]);
});

test("an error in the middle errors the stream and never ends it", async () => {
  for (const broken of [{ failsAt: 3 }, { checkFailsAt: 3 }]) {
    const { seen, begin } = await aDownload(broken);
    const reader = (await begin()).getReader();
    for (let taken = 0; taken < 3; taken++) expect((await reader.read()).done).toBe(false);
    await expect(reader.read()).rejects.toThrow();
    expect(seen.ends).toMatchObject([{ kind: "broken" }]);
  }
});

test("an error before the first part is thrown before the answer begins", async () => {
  const { seen, begin } = await aDownload({ failsAt: 0 });
  await expect(begin()).rejects.toThrow("the database is gone");
  expect(seen.ends).toEqual([]);
});

test("a client that cancels stops the reading", async () => {
  const { seen, begin } = await aDownload();
  const reader = (await begin()).getReader();
  await reader.read();
  await reader.cancel();
  await until(async () => seen.isReturned);
  expect(seen.read).toBeLessThan(4);
  expect(seen.ends).toEqual([{ kind: "left" }]);
});

test("a client that goes away before it has taken anything ends the download, and the stream does not look whole", async () => {
  const before = await aDownload();
  before.leaving.abort();
  const stream = await before.begin();
  expect(before.seen.ends).toEqual([{ kind: "left" }]);
  await stream.getReader().read();
  const after = await aDownload();
  const reader = (await after.begin()).getReader();
  await reader.read();
  after.leaving.abort();
  await expect(reader.read()).rejects.toThrow();
  expect(after.seen.ends).toEqual([{ kind: "left" }]);
});
