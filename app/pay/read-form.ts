import { readAtMost } from "#lib/read-at-most.ts";

const MAX_BYTES = 1_024;

/** A form of ours is small. What is longer, or no form, has no fields. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const bytes = await readAtMost(request, MAX_BYTES);
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** Back to the page, in the language that was chosen. */
export function backToPage(request: Request, reference: string): Response {
  const lang = new URL(request.url).searchParams.get("lang");
  const search = lang ? `?lang=${encodeURIComponent(lang)}` : "";
  return new Response(null, {
    status: 303,
    headers: { Location: `/pay/${encodeURIComponent(reference)}${search}`, "Cache-Control": "no-store" },
  });
}

/** Where a form was sent and the answer was no page, a reload or the language switch asks with GET. Says nothing of whether there is such a link. */
export async function redirectToPage(request: Request, { params }: { params: Promise<{ reference: string }> }): Promise<Response> {
  return backToPage(request, (await params).reference);
}
