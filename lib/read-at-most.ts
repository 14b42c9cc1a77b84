/** The client closed its connection before it had sent the whole request. */
export class ClientGone extends Error {
  override name = "ClientGone";
}

/** Returns a request's body, or undefined if it has more than `maxBytes`. Keeps no more than that in memory. Throws `ClientGone`. */
export async function readAtMost(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return undefined;
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new ClientGone("the client closed the connection within its request", { cause });
    });
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}
