import { SCRIPT, SCRIPT_NAME } from "#components/pay/assets.generated.ts";

/** The payer page's one script. Its name carries its hash, so that a browser keeps it for ever. */
export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const { file } = await params;
  if (file !== SCRIPT_NAME) return new Response(null, { status: 404 });
  return new Response(SCRIPT, {
    headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "public, max-age=31536000, immutable" },
  });
}
