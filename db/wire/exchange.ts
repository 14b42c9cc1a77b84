/** Types of messages of PostgreSQL's protocol 3 (its manual, "Message Formats"). Both sides use some letters, with different meanings. */
const code = (letter: string): number => letter.charCodeAt(0);
const CLIENT = { flush: code("H"), query: code("Q"), sync: code("S") };
const SERVER = { backendKeyData: code("K"), copyIn: code("G"), copyOut: code("H"), portalSuspended: code("s"), readyForQuery: code("Z") };
/** The status in ReadyForQuery of a connection that is in no transaction. */
const IDLE = code("I");

/** Follows the messages of one connection: whether the server owes an answer, and whether it has work of the client open. */
export class Exchange {
  /** The process of the server, once it has named it. */
  pid: number | undefined;
  #hasBegun = false;
  /** How many ReadyForQuery the server owes. */
  #owed = 0;
  /** Whether the client has asked for what there is of an answer, and goes on with the same query afterwards. */
  #hasFlushed = false;
  /** Whether a COPY is under way. The client takes its time over its rows. */
  #isCopying = false;
  #isInTransaction = false;

  /** Whether the server has the turn. It does not while the client is at its rows (a cursor, a COPY). */
  get owesAnswer(): boolean {
    return !this.#isCopying && (this.#owed > 0 || this.#hasFlushed);
  }

  /** Whether a statement or a transaction is open. */
  get isBusy(): boolean {
    return this.#isInTransaction || this.#isCopying || this.#owed > 0 || this.#hasFlushed;
  }

  readonly #readSent = messageReader((type) => {
    if (type === CLIENT.sync || type === CLIENT.query) {
      this.#owed++;
      this.#hasFlushed = false;
    } else if (type === CLIENT.flush) this.#hasFlushed = true;
  });

  /** Takes bytes that the client sends. The first ones are its greeting, which has no type, and which `connect_timeout` watches. */
  sent(bytes: Buffer): void {
    if (this.#hasBegun) this.#readSent(bytes);
    this.#hasBegun = true;
  }

  /** Takes bytes that the server has sent. */
  readonly received = messageReader((type, bytes, at, length) => {
    if (type === SERVER.readyForQuery) {
      this.#owed = Math.max(0, this.#owed - 1);
      this.#isCopying = false;
      this.#isInTransaction = bytes[at + HEAD] !== IDLE;
    } else if (type === SERVER.portalSuspended) this.#hasFlushed = false;
    else if (type === SERVER.copyIn || type === SERVER.copyOut) this.#isCopying = true;
    else if (type === SERVER.backendKeyData && length >= SHORTEST_KEY && bytes.length >= at + SHORTEST_KEY)
      this.pid = bytes.readUInt32BE(at + HEAD);
  });
}

/** A type of one byte, and a length of four that counts itself and what follows. */
const HEAD = 5;
/** A message of at most so many bytes is read whole; of a longer one, the type is all that this file needs. */
const SHORT = 16;
/** BackendKeyData: the head, the number of the process, and a secret of at least four bytes. One that is longer and cut here names no process. */
const SHORTEST_KEY = HEAD + 8;
const NOTHING = Buffer.alloc(0);

/** Is told each message: its type, and its place in `bytes`, which hold all of a short one. */
type OnMessage = (type: number, bytes: Buffer, at: number, length: number) => void;

/** Returns a function that takes the bytes of one side, cut anywhere, and calls `onMessage` for each message. */
function messageReader(onMessage: OnMessage): (bytes: Buffer) => void {
  let unread: Buffer = NOTHING;
  /** The rest of a long message. */
  let skip = 0;
  return (chunk) => {
    const bytes = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    let at = skip;
    while (at + HEAD <= bytes.length) {
      const length = 1 + bytes.readUInt32BE(at + 1);
      if (length <= SHORT && at + length > bytes.length) break;
      onMessage(bytes[at] ?? 0, bytes, at, length);
      at += length;
    }
    skip = Math.max(0, at - bytes.length);
    unread = at < bytes.length ? bytes.subarray(at) : NOTHING;
  };
}
