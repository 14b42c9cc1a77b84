import { connect, createServer, type Socket } from "node:net";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import type { Failpoints, Mortal, Role, When } from "./failpoints.ts";

/** PostgreSQL's frontend/backend protocol 3: a type byte, a length that counts itself, the content. */
const HEADER_BYTES = 5;
const WRITES = /\b(?<!for\s)(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?"?(?:(\w+)"?\."?)?(\w+)"?/i;
/** Functions that write. */
const FUNCTION = /\b(ledger_post|claim_purchases|settle_purchases)\s*\(/i;

/** Returns the first table that a statement writes (with its schema, if given), `ledger`, or the name of a function that writes. */
export function tableWrittenBy(statement: string): string | undefined {
  const match = WRITES.exec(statement);
  if (match?.[2]) return match[1] ? `${match[1]}.${match[2]}` : match[2];
  const name = FUNCTION.exec(statement)?.[1]?.toLowerCase();
  return name === "ledger_post" ? "ledger" : name;
}

interface Batch {
  /** The table that the end of the batch commits, if any. */
  commits: string | undefined;
}

/** Faults of a connection's messages. */
interface Faults {
  isKilledAt: (label: string, when: When) => boolean;
  /** Returns by how many milliseconds to delay the end of a batch to the server. */
  delayAt: (label: string) => number;
}

/** One connection between a process and PostgreSQL. Forwards all bytes unchanged until the process dies. */
class Session {
  readonly #statements = new Map<string, string>();
  readonly #awaited: Batch[] = [];
  #isStarting = true;
  #isInTransaction = false;
  #written: string | undefined;
  #statement = "";
  #outgoing = Buffer.alloc(0);
  #incoming = Buffer.alloc(0);
  #unforwarded: Buffer[] = [];

  readonly #client: Socket;
  readonly #server: Socket;
  readonly #isKilledAt: (label: string, when: When) => boolean;
  readonly #delayAt: (label: string) => number;

  constructor(client: Socket, server: Socket, faults: Faults) {
    this.#client = client;
    this.#server = server;
    this.#isKilledAt = faults.isKilledAt;
    this.#delayAt = faults.delayAt;
    // Small messages wait for each other, so the kernel must not delay them.
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on("data", (chunk) => this.#fromClient(chunk));
    server.on("data", (chunk) => this.#fromServer(chunk));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  }

  #cut(): void {
    this.#client.destroy();
    this.#server.destroy();
  }

  #fromClient(chunk: Buffer): void {
    // The startup packet has no type byte, and authentication is not part of a batch. Both are forwarded unread.
    if (this.#isStarting) {
      this.#server.write(chunk);
      return;
    }
    this.#outgoing = Buffer.concat([this.#outgoing, chunk]);
    for (let message = take(this.#outgoing); message; message = take(this.#outgoing)) {
      this.#outgoing = this.#outgoing.subarray(message.length);
      this.#unforwarded.push(message);
      if (!this.#noteClientMessage(message)) return;
    }
  }

  /** Returns false if the process died at this message. */
  #noteClientMessage(message: Buffer): boolean {
    const type = String.fromCharCode(message[0] ?? 0);
    const texts = () => message.toString("utf8", HEADER_BYTES).split("\0");
    if (type === "P") {
      const [name = "", statement = ""] = texts();
      this.#statements.set(name, statement);
    } else if (type === "B") {
      const [, name = ""] = texts();
      this.#note(this.#statements.get(name) ?? "");
    } else if (type === "Q") this.#note(texts()[0] ?? "");
    if (type === "Q" || type === "S") return this.#endBatch();
    if (type !== "P" && type !== "B" && type !== "D" && type !== "E") this.#forward();
    return true;
  }

  #note(statement: string): void {
    this.#statement = statement.trim().toLowerCase();
    this.#written ??= tableWrittenBy(statement);
  }

  #endBatch(): boolean {
    const ends = this.#isInTransaction ? this.#statement.startsWith("commit") : !this.#statement.startsWith("begin");
    const commits = ends ? this.#written : undefined;
    if (ends) this.#written = undefined;
    if (commits !== undefined && this.#isKilledAt(commits, "before")) {
      this.#cut();
      return false;
    }
    this.#awaited.push({ commits });
    const delayMs = commits === undefined ? 0 : this.#delayAt(commits);
    if (delayMs > 0) this.#forwardLater(delayMs);
    else this.#forward();
    return true;
  }

  /** Forwards later. Reads nothing from the process until then, so the order of messages stays. */
  #forwardLater(delayMs: number): void {
    this.#client.pause();
    setTimeout(() => {
      this.#forward();
      this.#client.resume();
    }, delayMs);
  }

  #forward(): void {
    if (this.#server.writable) this.#server.write(Buffer.concat(this.#unforwarded.splice(0)));
  }

  #fromServer(chunk: Buffer): void {
    this.#incoming = Buffer.concat([this.#incoming, chunk]);
    const passed: Buffer[] = [];
    for (let message = take(this.#incoming); message; message = take(this.#incoming)) {
      this.#incoming = this.#incoming.subarray(message.length);
      // ReadyForQuery ends a batch and says whether a transaction is open.
      if (message[0] === 0x5a && !this.#noteReady(message)) return;
      passed.push(message);
    }
    if (passed.length > 0) this.#client.write(Buffer.concat(passed));
  }

  #noteReady(message: Buffer): boolean {
    const status = String.fromCharCode(message[HEADER_BYTES] ?? 0);
    this.#isInTransaction = status === "T" || status === "E";
    if (!this.#isInTransaction) this.#written = undefined;
    if (this.#isStarting) {
      this.#isStarting = false;
      return true;
    }
    const ended = this.#awaited.shift();
    if (ended?.commits !== undefined && this.#isKilledAt(ended.commits, "after")) {
      this.#cut();
      return false;
    }
    return true;
  }
}

/** Returns the first complete message of a buffer, or undefined. */
function take(buffer: Buffer): Buffer | undefined {
  if (buffer.length < HEADER_BYTES) return undefined;
  const length = 1 + buffer.readUInt32BE(1);
  return buffer.length >= length ? buffer.subarray(0, length) : undefined;
}

/** The process that a proxy serves. */
export interface Around {
  role: Role;
  process: () => Mortal & { noteConnection: () => void };
  failpoints: Failpoints;
}

/** Starts a proxy between a process and PostgreSQL. Returns the port to connect to. */
export async function startPostgresProxy({ role, process, failpoints }: Around, portOfServer: () => number): Promise<number> {
  const proxy = createServer((client) => {
    process().noteConnection();
    const server = connect(portOfServer(), "127.0.0.1");
    new Session(client, server, {
      isKilledAt: (label, when) => failpoints.hit({ role, kind: "commit", label }, when, process()),
      delayAt: (label) => failpoints.delayAt({ role, kind: "commit", label }, "before"),
    });
  });
  return listenOnLoopback(proxy);
}
