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

const nameOfPoint = ({ role, kind, label }: Point) => `${role} ${kind} ${label}`;
const isSame = (one: Point, other: Point) => nameOfPoint(one) === nameOfPoint(other);

export interface Mortal {
  kill: () => void;
}

/** A kill that waits for its point. */
export interface ArmedKill {
  kill: Kill;
  /** How many times the point is still passed before the kill. */
  left: number;
}

/** Tells the proxies whether the process behind them dies now. Of several armed kills, the first whose point is passed is executed. */
export class Failpoints {
  #armed: ArmedKill[] = [];
  #killed: (armed: ArmedKill) => void = () => {};
  #delay: { point: Point; when: When; ms: number; done: () => void } | undefined;
  readonly #execute: (kill: Kill, passing: Mortal | undefined) => void;
  readonly #passed = new Set<string>();

  constructor(execute: (kill: Kill, passing: Mortal | undefined) => void) {
    this.#execute = execute;
  }

  /** Arms kills. Resolves to the one that was executed; the others are then no longer armed. */
  arm(kills: ArmedKill[]): Promise<ArmedKill> {
    this.#armed = [...kills];
    return new Promise((done) => {
      this.#killed = done;
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
  delayAt(point: Point, when: When): number {
    const armed = this.#delay;
    if (!armed || armed.when !== when || !isSame(armed.point, point)) return 0;
    this.#delay = undefined;
    armed.done();
    return armed.ms;
  }

  disarm(): void {
    this.#armed = [];
  }

  wasPassed(point: Point): boolean {
    return this.#passed.has(nameOfPoint(point));
  }

  /** Notes that a process passes a point. `passing` is that process, if known. Returns true after a kill: the message then goes no further. */
  hit(point: Point, when: When, passing?: Mortal): boolean {
    this.#passed.add(nameOfPoint(point));
    const isHere = ({ kill }: ArmedKill) => kill.when === when && isSame(kill.point, point);
    const due = this.#armed.filter(isHere).find((armed) => armed.left-- <= 0);
    if (!due) return false;
    this.#armed = [];
    this.#execute(due.kill, passing);
    this.#killed(due);
    return true;
  }
}
