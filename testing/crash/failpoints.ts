/** The roles of processes that write. PostgreSQL may die at a point of such a process. */
export type Role = "web" | "worker";
type Victim = Role | "postgres";

/** A named place where a process may die, as its proxies see it. */
export interface Point {
  role: Role;
  kind: "commit" | "call" | "delivery";
  /** For a commit, the first table that it writes. For a call, the last part of its path. */
  label: string;
}
export type When = "before" | "after";

export interface Kill {
  victim: Victim;
  point: Point;
  when: When;
  /** How many times the point is passed before the kill. */
  skip: number;
}

export const nameOf = ({ victim, point, when }: Kill) =>
  `${victim} ${when} ${point.kind} ${point.label}${victim === point.role ? "" : ` of ${point.role}`}`;

export interface Mortal {
  kill: () => void;
}

/** Tells the proxies whether the process behind them dies now. One kill is armed at a time. */
export class Failpoints {
  #armed: { kill: Kill; left: number; done: () => void } | undefined;
  #delay: { point: Point; when: When; ms: number; done: () => void } | undefined;
  readonly #execute: (kill: Kill, passing: Mortal | undefined) => void;
  readonly #passed = new Set<string>();

  constructor(execute: (kill: Kill, passing: Mortal | undefined) => void) {
    this.#execute = execute;
  }

  /** Arms a kill. Resolves when the kill was executed. */
  arm(kill: Kill): Promise<void> {
    return new Promise((done) => {
      this.#armed = { kill, left: kill.skip, done };
    });
  }

  /** Delays the next message at a point by `ms`. Resolves when a message is delayed. */
  armDelay(point: Point, when: When, ms: number): Promise<void> {
    return new Promise((done) => {
      this.#delay = { point, when, ms, done };
    });
  }

  disarmDelay(): void {
    this.#delay = undefined;
  }

  /** Returns by how many milliseconds to delay a message at a point. Uses up the armed delay. */
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

  /** Notes that a process passes a point. `passing` is that process, if known. Returns true after a kill: the message then goes no further. */
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
