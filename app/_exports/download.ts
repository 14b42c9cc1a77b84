import { ClientGone } from "#lib/read-at-most.ts";

interface Download {
  /** The parts of the file in their order. An empty one is skipped. */
  parts: AsyncGenerator<string, void>;
  /** Runs before each part. The download breaks where it throws. */
  check: () => Promise<void>;
  /** Aborts when the client disconnects, even before it has read any part. */
  signal: AbortSignal;
  /** Called once, when a stream that has begun ends: complete, left by its client, or broken by an error. Must not throw. */
  onEnd: (end: DownloadEnd) => Promise<void>;
}

export type DownloadEnd = { kind: "whole" } | { kind: "left" } | { kind: "broken"; error: unknown };

/**
 * Returns a stream of the parts, which reads a part only when the client wants one: one page of rows is in memory, however many there are.
 * An error breaks the stream, so that the connection ends without the end of the file. Reads the first part before it returns, so that an
 * error until then is a refusal that people can read. Throws what `check` and the first part throw.
 */
export async function beginDownload({ parts, check, signal, onEnd }: Download): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let isOver = false;
  const end = async (how: DownloadEnd): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await onEnd(how);
  };
  const nextPart = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      await check();
      const { done, value } = await parts.next();
      // A stream whose client has left must not end as if it were complete.
      if (isOver) throw new ClientGone("the client left a download");
      if (done) return undefined;
      if (value !== "") return encoder.encode(value);
    }
  };
  const leave = async (): Promise<void> => {
    // Not awaited: it waits for the page that is being read.
    void parts.return();
    await end({ kind: "left" });
  };
  let first = await nextPart();
  if (signal.aborted) await leave();
  signal.addEventListener("abort", () => void leave(), { once: true });
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const part = first ?? (await nextPart());
          first = undefined;
          if (part) return controller.enqueue(part);
          await end({ kind: "whole" });
          controller.close();
        } catch (error) {
          await end({ kind: "broken", error });
          throw error;
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
