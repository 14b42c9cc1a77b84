/** The client closed its connection before all of its request had come. */
export class ClientGone extends Error {
  override name = "ClientGone";
}

/** A request's whole body, or undefined once it has more than `most` bytes; no more than that is ever held. Throws ClientGone. */
export async function readAtMost(request: Request, most: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > most) return undefined;
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
    if (size > most) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}
