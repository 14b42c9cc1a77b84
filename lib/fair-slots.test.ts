import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { times } from "#testing/until.ts";
import { type Bounds, FairSlots, NoSlot, outsideSlot } from "./fair-slots.ts";
import { ClientGone } from "./read-at-most.ts";

const BOUNDS: Bounds = { maxAtWork: 4, maxAtWorkOfOne: 2, maxWaitingOfOne: 100, maxOfOne: 100, waitAtMostMs: 60_000 };

/** Lets all that can proceed proceed. */
const settle = () => new Promise((done) => setImmediate(done));

/** Runs requests whose ends a test decides. */
function office(bounds: Partial<Bounds> = {}) {
  const slots = new FairSlots({ ...BOUNDS, ...bounds });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const request = (name: string, options?: { first?: boolean; signal?: AbortSignal }) =>
    slots.run(
      name.charAt(0),
      async () => {
        begun.push(name);
        await new Promise<void>((done) => ends.set(name, done));
        return name;
      },
      options,
    );
  const end = async (name: string) => {
    await settle();
    const finish = ends.get(name);
    if (!finish) throw new Error(`${name} has not begun; begun: ${begun}`);
    finish();
    await settle();
  };
  return { slots, begun, request, end };
}

describe("slots", () => {
  test("an owner has as many requests at work as it may, and the waiting ones begin in order of arrival", async () => {
    const { begun, request, end } = office();
    const all = ["a1", "a2", "a3", "a4", "a5"].map((name) => request(name));
    await settle();
    expect(begun).toEqual(["a1", "a2"]);
    for (const name of ["a2", "a1", "a3", "a4", "a5"]) await end(name);
    expect(begun).toEqual(["a1", "a2", "a3", "a4", "a5"]);
    expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4", "a5"]);
  });

  test("free slots go to the owners that wait in turn, however many requests one of them has", async () => {
    const { begun, request, end } = office({ maxAtWork: 2 });
    const names = ["a1", "a2", "a3", "a4", "a5", "a6", "b1", "b2", "c1"];
    const all = names.map((name) => request(name));
    for (const name of ["a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5", "a6"]) await end(name);
    expect(begun).toEqual(["a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5", "a6"]);
    await Promise.all(all);
  });

  test("a request that goes first precedes the owner's others, and no other owner's", async () => {
    const { begun, request, end } = office({ maxAtWork: 1 });
    const all = [request("a1"), request("a2"), request("b1"), request("a3", { first: true })];
    for (const name of ["a1", "a3", "b1", "a2"]) await end(name);
    expect(begun).toEqual(["a1", "a3", "b1", "a2"]);
    await Promise.all(all);
  });

  test("requests that go first take every other slot of their owner, so its others never wait for all of them", async () => {
    const { begun, request, end } = office({ maxAtWork: 1 });
    const others = ["a1", "a2", "a3"].map((name) => request(name));
    const firsts = ["af1", "af2", "af3", "af4"].map((name) => request(name, { first: true }));
    const order = ["a1", "af1", "a2", "af2", "a3", "af3", "af4"];
    for (const name of order) await end(name);
    expect(begun).toEqual(order);
    await Promise.all([...others, ...firsts]);
  });

  test.each(["maxOfOne", "maxWaitingOfOne"] as const)(
    "one request more than an owner may have (%s) is refused, and is taken again once another has ended",
    async (bound) => {
      const { begun, request, end } = office({ [bound]: bound === "maxOfOne" ? 5 : 3 });
      const all = times(5, (i) => request(`a${i}`));
      await expect(request("a9")).rejects.toBeInstanceOf(NoSlot);
      const other = request("b0");
      await end("a0");
      const late = request("a9");
      for (const name of ["a1", "a2", "a3", "a4", "a9", "b0"]) await end(name);
      await Promise.all([...all, other, late]);
      expect(begun).toEqual(["a0", "a1", "b0", "a2", "a3", "a4", "a9"]);
    },
  );

  test("a request that waits too long, and one whose client goes, never begins and leaves its place", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { begun, request, end } = office({ maxAtWorkOfOne: 1 });
    const [client, gone] = [new AbortController(), AbortSignal.abort()];
    const first = request("a1");
    const waiting = [request("a2"), request("a3", { signal: client.signal }), request("a4", { signal: gone })];
    const outcomes = Promise.allSettled(waiting);
    client.abort();
    vi.advanceTimersByTime(BOUNDS.waitAtMostMs);
    vi.useRealTimers();
    expect((await outcomes).map((outcome) => outcome.status === "rejected" && outcome.reason.constructor)).toEqual([
      NoSlot,
      ClientGone,
      ClientGone,
    ]);
    await end("a1");
    await first;
    const next = request("a5");
    await end("a5");
    await next;
    expect(begun).toEqual(["a1", "a5"]);
  });

  test("work that fails leaves its slot, and its error is the caller's", async () => {
    const slots = new FairSlots({ ...BOUNDS, maxAtWork: 1 });
    const failing = times(3, () => slots.run("a", () => Promise.reject(new Error("no"))));
    for (const each of failing) await expect(each).rejects.toThrow("no");
    expect(await slots.run("b", async () => "done")).toBe("done");
  });
});

describe("a call outside the slot", () => {
  test("leaves the slot to others while it waits, and its request is the owner's next", async () => {
    const slots = new FairSlots({ ...BOUNDS, maxAtWorkOfOne: 1 });
    const [provider, other] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const seen: string[] = [];
    const buying = slots.run("a", async () => void seen.push(await outsideSlot(() => provider.promise)));
    const reading = slots.run("a", async () => {
      seen.push("reads");
      await other.promise;
    });
    const last = slots.run("a", async () => seen.push("last"));
    await settle();
    provider.resolve("delivered");
    await settle();
    expect(seen).toEqual(["reads"]);
    other.resolve();
    await Promise.all([buying, reading, last]);
    expect(seen).toEqual(["reads", "delivered", "last"]);
  });

  test("is never refused afterwards, however long its request then waits for a slot, and exceeds no bound", async () => {
    const slots = new FairSlots({ ...BOUNDS, maxAtWorkOfOne: 1, waitAtMostMs: 5 });
    const [provider, stuck] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const seen: string[] = [];
    const buying = slots.run("a", async () => void seen.push(await outsideSlot(() => provider.promise)));
    const other = slots.run("a", () => stuck.promise);
    await settle();
    provider.resolve("delivered");
    await settle();
    await expect(slots.run("a", async () => "later")).rejects.toBeInstanceOf(NoSlot);
    expect(seen).toEqual([]);
    expect(await slots.run("b", async () => "another owner is served")).toBe("another owner is served");
    stuck.resolve();
    await Promise.all([buying, other]);
    expect(seen).toEqual(["delivered"]);
  });

  test("gives the slot back once, also for calls at once, calls that fail and calls that outlive their request", async () => {
    const slots = new FairSlots({ ...BOUNDS, maxAtWork: 1 });
    const late = Promise.withResolvers<void>();
    await slots.run("a", async () => {
      await Promise.allSettled([
        outsideSlot(settle),
        outsideSlot(() => Promise.reject(new Error("no"))),
        outsideSlot(() => outsideSlot(settle)),
      ]);
      void outsideSlot(() => late.promise);
    });
    late.resolve();
    await settle();
    const order: string[] = [];
    const held = Promise.withResolvers<void>();
    const first = slots.run("a", async () => {
      order.push("begins");
      await held.promise;
    });
    const second = slots.run("b", async () => order.push("second"));
    await settle();
    expect(order).toEqual(["begins"]);
    held.resolve();
    await Promise.all([first, second]);
    expect(await outsideSlot(async () => "without a slot")).toBe("without a slot");
  });

  test("all requests end, and stay within the bounds, whatever their owners, lengths and calls outside the slot", async () => {
    const step = fc.constantFrom("work", "outside", "fail");
    const request = fc.record({ owner: fc.constantFrom("a", "b", "c"), first: fc.boolean(), steps: fc.array(step, { maxLength: 4 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 40 }), async (requests) => {
        const slots = new FairSlots({ ...BOUNDS, maxAtWork: 3 });
        const atWork: string[] = [];
        const come = (owner: string) => {
          atWork.push(owner);
          expect(atWork.length).toBeLessThanOrEqual(3);
          expect(atWork.filter((each) => each === owner).length).toBeLessThanOrEqual(2);
        };
        const go = (owner: string) => void atWork.splice(atWork.indexOf(owner), 1);
        const does = async (owner: string, steps: string[]) => {
          for (const each of steps) {
            if (each === "fail") throw new Error("no");
            if (each === "work") await settle();
            if (each === "outside") {
              await outsideSlot(() => {
                go(owner);
                return settle();
              });
              come(owner);
            }
          }
        };
        const outcomes = await Promise.allSettled(
          requests.map(({ owner, first, steps }) => {
            const work = () => {
              come(owner);
              return does(owner, steps).finally(() => go(owner));
            };
            return slots.run(owner, work, { first });
          }),
        );
        const failing = requests.filter(({ steps }) => steps.includes("fail"));
        const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []));
        expect(reasons).toEqual(failing.map(() => "Error: no"));
        expect(atWork).toEqual([]);
        await expectAllFree(slots);
      }),
    );
  });
});

/** Expects that as many requests begin at once as if none had been before: two of one owner, three of all. */
async function expectAllFree(slots: FairSlots): Promise<void> {
  const held = Promise.withResolvers<void>();
  const begun: string[] = [];
  const requests = ["a", "a", "a", "b", "c"].map((owner) =>
    slots.run(owner, async () => {
      begun.push(owner);
      await held.promise;
    }),
  );
  await settle();
  expect(begun).toEqual(["a", "a", "b"]);
  held.resolve();
  await Promise.all(requests);
}
