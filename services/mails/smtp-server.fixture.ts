import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, vi } from "vitest";
import { listenOnLoopback } from "#testing/listen-on-loopback.ts";

/**
 * How the server treats a recipient: takes the mail, refuses the sender or the recipient for good, defers the recipient, never answers,
 * answers without an end, or takes the mail and closes the connection before it says so.
 */
type Behaviour = "take" | "refuse sender" | "refuse" | "defer" | "hang" | "drip" | "drop after data";

interface ReceivedMail {
  sender: string;
  recipient: string;
  /** The mail as sent, without the dot stuffing. */
  raw: string;
}

export const SMTP_USER = "oja@mail.example";
export const SMTP_PASSWORD = "Secret-of-SMTP";

/** A small SMTP server on this machine (RFC 5321, with AUTH PLAIN), which keeps what it takes. */
export class TestSmtpServer {
  readonly received: ReceivedMail[] = [];
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  /** Whether it refuses the password. */
  refusesSignIn = false;
  port = 0;

  async listen(): Promise<void> {
    const server = createServer((socket) => this.#serve(socket));
    this.#server = server;
    if (this.port === 0) this.port = await listenOnLoopback(server);
    else await new Promise<void>((done) => server.listen(this.port, "127.0.0.1", done));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((done) => this.#server?.close(done));
  }

  /** Sets the treatment of a recipient. */
  treat(recipient: string, behaviour: Behaviour): void {
    this.#behaviours.set(recipient, behaviour);
  }

  mailsTo(recipient: string): ReceivedMail[] {
    return this.received.filter((mail) => mail.recipient === recipient);
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {}).on("close", () => this.#sockets.delete(socket));
    const session = { sender: "", recipient: "", data: undefined as string[] | undefined };
    let rest = "";
    const say = (line: string) => void socket.write(`${line}\r\n`);
    say("220 mail.example");
    socket.setEncoding("utf8").on("data", (chunk) => {
      const lines = `${rest}${chunk}`.split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line, session, socket, say);
    });
  }

  #take(
    line: string,
    session: { sender: string; recipient: string; data: string[] | undefined },
    socket: Socket,
    say: (line: string) => void,
  ) {
    const behaviour = this.#behaviours.get(session.recipient) ?? "take";
    if (session.data) {
      if (line !== ".") session.data.push(line.replace(/^\.\./, "."));
      else {
        this.received.push({ sender: session.sender, recipient: session.recipient, raw: session.data.join("\r\n") });
        session.data = undefined;
        if (behaviour === "drop after data") socket.destroy();
        else say("250 taken");
      }
      return;
    }
    const address = /<(.*)>/.exec(line)?.[1] ?? "";
    if (/^EHLO/i.test(line)) say("250-mail.example\r\n250 AUTH PLAIN");
    else if (/^AUTH/i.test(line)) say(this.refusesSignIn ? `535 not with ${line}` : "235 welcome");
    else if (/^MAIL FROM/i.test(line)) {
      session.sender = address;
      say([...this.#behaviours.values()].includes("refuse sender") ? "550 not from you" : "250 ok");
    } else if (/^RCPT TO/i.test(line)) {
      session.recipient = address;
      this.#answerRecipient(address, socket, say);
    } else if (/^DATA/i.test(line)) {
      session.data = [];
      say("354 go on");
    } else say(/^QUIT/i.test(line) ? "221 bye" : "502 not here");
  }

  #answerRecipient(recipient: string, socket: Socket, say: (line: string) => void): void {
    const behaviour = this.#behaviours.get(recipient) ?? "take";
    if (behaviour === "refuse") say(`550 5.1.1 <${recipient}> has no mailbox here`);
    else if (behaviour === "defer") say(`451 <${recipient}> later`);
    else if (behaviour === "drip") {
      const drip = setInterval(() => say("250-wait"), 20);
      socket.on("close", () => clearInterval(drip));
    } else if (behaviour !== "hang") say("250 ok");
  }
}

/** Starts a server for a test file and names it in SMTP_URL, before settings are read. */
export function withSmtpServer(): TestSmtpServer {
  const server = new TestSmtpServer();
  beforeAll(async () => {
    await server.listen();
    vi.stubEnv("SMTP_URL", `smtp://${encodeURIComponent(SMTP_USER)}:${SMTP_PASSWORD}@127.0.0.1:${server.port}`);
  });
  afterAll(() => server.close());
  return server;
}
