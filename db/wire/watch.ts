import type { Socket } from "node:net";
import { SECOND_MS } from "#lib/time.ts";
import { Exchange } from "./exchange.ts";

/** A connection is reported as silent after this time without an answer, and again each time it passes. */
const SILENT_AFTER_MS = 5 * SECOND_MS;

/** The process of a connection in the database server. */
export interface ServerProcess {
  pid: number;
  /** Address and port. */
  server: string;
}

/** A connection on which the server owes an answer, and sends nothing. */
export interface Silence extends ServerProcess {
  /** Whether the answer is still owed, and not a byte of it has come since. */
  isSilent: () => boolean;
  /** Closes the connection. Its queries are rejected with ANSWER_TIMEOUT, and their outcome is unknown. */
  giveUp: () => void;
}

export interface Watch {
  /** After so many milliseconds in which the server owes an answer and sends nothing, the connection is closed. */
  answerWithinMs: number;
  /** Is told the process of the connection as soon as the server names it. */
  onGreeting?: (process: ServerProcess) => void;
  onSilence?: (silence: Silence) => void;
  /** Is told of each connection that this side closes while a statement or a transaction is open on it. */
  onAbandoned?: (process: ServerProcess) => void;
}

/** The database has not answered in time. The server may have executed the statement. */
export class AnswerTimeout extends Error {
  override name = "AnswerTimeout";
  readonly code = "ANSWER_TIMEOUT";
}

/**
 * Watches a connected socket over which postgres.js will speak. Silences are counted in periods, so that a process that was stopped or busy
 * loses one period, and then reads an answer that has arrived.
 */
export function watch(socket: Socket, { answerWithinMs, onGreeting, onSilence, onAbandoned }: Watch): void {
  const exchange = new Exchange();
  const server = `${socket.remoteAddress} ${socket.remotePort}`;
  const periodMs = Math.min(SILENT_AFTER_MS, answerWithinMs);
  let heard = 0;
  let silences = 0;

  function abandon(): void {
    if (exchange.pid !== undefined && exchange.isBusy) onAbandoned?.({ pid: exchange.pid, server });
  }

  function giveUp(): void {
    if (socket.destroyed) return;
    abandon();
    socket.destroy(new AnswerTimeout(`the database has not answered within ${answerWithinMs / SECOND_MS} s`));
  }

  function reportSilence(): void {
    if (exchange.pid === undefined) return;
    const since = heard;
    const isSilent = () => !socket.destroyed && exchange.owesAnswer && heard === since && socket.writableLength === 0;
    onSilence?.({ pid: exchange.pid, server, isSilent, giveUp });
  }

  function countSilence(): void {
    if (!exchange.owesAnswer) return;
    if (++silences * periodMs >= answerWithinMs) giveUp();
    else {
      timer.refresh();
      reportSilence();
    }
  }

  // Begins anew with each answer, and with a statement while nothing is owed. It may have fired before.
  const timer = setTimeout(countSilence, periodMs).unref();
  socket.on("data", (chunk) => {
    heard++;
    silences = 0;
    const wasNamed = exchange.pid !== undefined;
    exchange.received(chunk);
    if (exchange.owesAnswer) timer.refresh();
    if (!wasNamed && exchange.pid !== undefined) onGreeting?.({ pid: exchange.pid, server });
  });
  socket.once("close", () => clearTimeout(timer));

  const write = socket.write.bind(socket) as (bytes: Buffer, written?: () => void) => boolean;
  const end = socket.end.bind(socket) as (terminate?: Buffer) => Socket;
  Object.assign(socket, {
    write(bytes: Buffer, written?: () => void) {
      const owedBefore = exchange.owesAnswer;
      exchange.sent(bytes);
      if (!owedBefore && exchange.owesAnswer) timer.refresh();
      return write(bytes, written);
    },
    end(terminate?: Buffer) {
      // Node's own call, after the server has closed the connection.
      if (terminate === undefined) return end();
      abandon();
      // postgres.js waits for the server to close the connection. A server that is cut off never does.
      end(terminate).destroySoon();
      return socket;
    },
  });
}
