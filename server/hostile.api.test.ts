import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient } from "#testing/api.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { ROOT } from "./runtime.ts";
import { HOST, LIMITS, withSmallApp } from "./small-app.fixture.ts";

withDatabase();
const { app, open } = withSmallApp();

const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;
const megabytesOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

describe("under a hostile client", () => {
  const ROUNDS = 5;
  const ATTACK_SECONDS = 8;
  const QUIET_MS = 4_000;

  /** Calls `ask` four at a time until `isOver`. Returns the 99th percentile of their times, in milliseconds. */
  async function p99(ask: () => Promise<unknown>, isOver: () => boolean): Promise<number> {
    const taken: number[] = [];
    const askOn = async () => {
      while (!isOver()) {
        const startedAt = performance.now();
        await ask();
        taken.push(performance.now() - startedAt);
      }
    };
    await Promise.all([askOn(), askOn(), askOn(), askOn()]);
    return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? Number.NaN;
  }
  const within = (ms: number) => {
    const endsAt = performance.now() + ms;
    return () => performance.now() > endsAt;
  };

  // A page of React's is what takes longest of all that a stranger may ask for.
  test("a thousand requests of one network at once do not delay a merchant's requests", async () => {
    const { key } = await aMerchant();
    const api = apiClient(app, key);
    const ask = async () => expect((await api.get("/api/v1/exchange-rates")).status).toBe(200);
    await ask();
    const flood = Array.from({ length: LIMITS.maxPerNetwork }, () =>
      open(`GET /sign-up HTTP/1.1\r\n${HOST}X-Forwarded-For: ${",".repeat(14_000)}\r\n\r\n`.repeat(16), "127.0.0.21"),
    );
    const isBusy = () => flood.some((connection) => (connection.received.match(/HTTP\/1\.1 /g)?.length ?? 0) < 16 && !connection.isClosed);
    const startedAt = performance.now();
    let longestMs = 0;
    while (isBusy() && performance.now() - startedAt < 60_000) {
      const askedAt = performance.now();
      await ask();
      longestMs = Math.max(longestMs, performance.now() - askedAt);
    }
    const lastedMs = performance.now() - startedAt;
    for (const connection of flood) connection.socket.destroy();
    // Without a fair queue, a merchant's request waits for almost all requests that came before it.
    expect(longestMs).toBeLessThan(lastedMs / 2);
  });

  test("a merchant's requests are all answered, in less than twice their usual time, and descriptors and memory are freed", async () => {
    const { key, merchant } = await aMerchant();
    await sql()`update merchants set requests_per_second = 100000, request_burst = 100000 where id = ${merchant.id}`;
    const api = apiClient(app, key);
    const ask = async () => expect((await api.get("/api/v1/exchange-rates")).status).toBe(200);
    await p99(ask, within(1_000));
    const pid = app.webPid();
    const quietDescriptors = descriptorsOf(pid);
    const ratios: number[] = [];
    const megabytes: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const quiet = await p99(ask, within(QUIET_MS));
      const attacker = fork(join(ROOT, "testing/hostile/client.ts"), [app.url, "127.0.0.2", String(ATTACK_SECONDS)], { execArgv: [] });
      const ended = once(attacker, "exit");
      ratios.push((await p99(ask, () => attacker.exitCode !== null)) / quiet);
      await ended;
      await until(async () => descriptorsOf(pid) <= quietDescriptors + 5, 30_000);
      megabytes.push(megabytesOf(pid));
    }
    console.info(
      `p99 beside the attack, of the quiet one: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}; memory ${megabytes.map((mb) => mb.toFixed(0)).join(", ")} MB`,
    );
    // A slow server is slow in every round. A machine that is busy with other work is not busy in all of them.
    expect(Math.min(...ratios)).toBeLessThan(2);
    // The heap grows to its working size in the first rounds. A leak goes on growing.
    expect(Math.min(...megabytes.slice(2))).toBeLessThan((megabytes[1] ?? 0) * 1.25);
    expectNoErrorInTheLog();
  }, 180_000);

  function expectNoErrorInTheLog(): void {
    const lines = app
      .log()
      // The last line may not be whole yet.
      .replace(/[^\n]*$/, "")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  }
});
