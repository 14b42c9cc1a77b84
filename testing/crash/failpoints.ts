/** The processes that write. `postgres` dies at a point of one of them. */
export type Role = "web" | "worker";
type Victim = Role | "postgres";

/** A named place where a process may die, as the proxies around it see it. */
export interface Point {
  role: Role;
  kind: "commit" | "call" | "delivery";
  /** Of a commit: the first table that it writes. Of a call: its path. */
  label: string;
}
export type When = "before" | "after";

export interface Kill {
  victim: Victim;
  point: Point;
  when: When;
  /** How many times the point is passed before. */
  skip: number;
}

export const nameOf = ({ victim, point, when }: Kill) =>
  `${victim} ${when} ${point.kind} ${point.label}${victim === point.role ? "" : ` of ${point.role}`}`;

export interface Mortal {
  kill: () => void;
}

/** Where the proxies ask whether the process behind them dies now. One kill is armed at a time. */
export class Failpoints {
  #armed: { kill: Kill; left: number; done: () => void } | undefined;
  #delay: { point: Point; when: When; ms: number; done: () => void } | undefined;
  readonly #execute: (kill: Kill, passing: Mortal | undefined) => void;
  readonly #passed = new Set<string>();

  constructor(execute: (kill: Kill, passing: Mortal | undefined) => void) {
    this.#execute = execute;
  }

  /** Settles when it has been executed. */
  arm(kill: Kill): Promise<void> {
    return new Promise((done) => {
      this.#armed = { kill, left: kill.skip, done };
    });
  }

  /** The next message at that point waits for so long. Settles when one does. */
  armDelay(point: Point, when: When, ms: number): Promise<void> {
    return new Promise((done) => {
      this.#delay = { point, when, ms, done };
    });
  }

  disarmDelay(): void {
    this.#delay = undefined;
  }

  /** How long a message waits that comes by. */
  delayAt({ role, kind, label }: Point, when: When): number {
    const armed = this.#delay;
    if (!armed || armed.when !== when) return 0;
    const { point } = armed;
    if (point.role !== role || point.kind !== kind || point.label !== label) return 0;
    this.#delay = undefined;
    armed.done();
    return armed.ms;
  }

  disarm(): void {
    this.#armed = undefined;
  }

  wasPassed({ role, kind, label }: Point): boolean {
    return this.#passed.has(`${role} ${kind} ${label}`);
  }

  /** `passing` is the process that comes by, where that is known. True when one was killed: what it said, or would have heard, goes no further. */
  hit({ role, kind, label }: Point, when: When, passing?: Mortal): boolean {
    this.#passed.add(`${role} ${kind} ${label}`);
    const armed = this.#armed;
    if (!armed) return false;
    const { point } = armed.kill;
    if (armed.kill.when !== when || point.role !== role || point.kind !== kind || point.label !== label) return false;
    if (armed.left-- > 0) return false;
    this.#armed = undefined;
    this.#execute(armed.kill, passing);
    armed.done();
    return true;
  }
}
