/** The client closed its connection before it had sent the whole request. */
export class ClientGone extends Error {
  override name = "ClientGone";
}

/** Returns a request's body, or undefined if it has more than `maxBytes`. Keeps no more than that in memory. Throws `ClientGone`. */
export async function readAtMost(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return undefined;
  // If the connection closed before the body was read, the body may be lost. It must not count as empty.
  if (request.signal.aborted) throwClientGone(request.signal.reason);
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  const closed = closeOf(request.signal);
  for (;;) {
    const { done, value } = await Promise.race([reader.read().catch(throwClientGone), closed]);
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}

function throwClientGone(cause: unknown): never {
  throw new ClientGone("the client closed the connection within its request", { cause });
}

/** Rejects with `ClientGone` once the client closes its connection, because a read of the body would otherwise never end. */
function closeOf(signal: AbortSignal): Promise<never> {
  const closed = new Promise<never>((_, reject) => {
    const end = () => reject(new ClientGone("the client closed the connection within its request"));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  closed.catch(() => undefined);
  return closed;
}
