export const ACCOUNTS = 1_000;

/** Does one call of a scenario. `n` is unique among the calls. Returns false if there was nothing left to do. */
export type Call = (n: number) => Promise<unknown>;

export interface Scenario {
  name: string;
  connections: number;
  /** Transfers that one call makes. */
  transfers: number;
  prepare?: () => Promise<void>;
  call: Call;
}

let calls = 0;

/** Returns a number that no other call has. */
export const nextCall = (): number => calls++;

/** Runs the calls as fast as the given number of connections allows. Returns the transfers per second. */
export async function rateOf({ connections, transfers, prepare, call }: Scenario, seconds: number): Promise<number> {
  await prepare?.();
  const began = performance.now();
  const end = began + seconds * 1_000;
  let done = 0;
  const work = async () => {
    while (performance.now() < end) {
      if ((await call(nextCall())) === false) return;
      done += transfers;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return done / ((performance.now() - began) / 1_000);
}

/** Two different accounts of the many. */
export function twoOf(): [number, number] {
  const one = Math.floor(Math.random() * ACCOUNTS);
  return [one, (one + 1 + Math.floor(Math.random() * (ACCOUNTS - 1))) % ACCOUNTS];
}
