import { readAtMost } from "#lib/read-at-most.ts";

const MAX_BYTES = 1_024;

/** Returns the fields of a form. The page's own forms are small, so a longer body has no fields. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const bytes = await readAtMost(request, MAX_BYTES);
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** Returns a redirect to the page, in the chosen language and with the bar of test mode as it was. */
export function backToPage(request: Request, reference: string): Response {
  const { searchParams } = new URL(request.url);
  const kept = new URLSearchParams([...searchParams].filter(([name]) => name === "lang" || name === "panel"));
  const search = kept.size > 0 ? `?${kept}` : "";
  return new Response(null, {
    status: 303,
    headers: { Location: `/pay/${encodeURIComponent(reference)}${search}`, "Cache-Control": "no-store" },
  });
}

/**
 * Serves a GET of a form's address, which a reload or the language switch sends after a form got a refusal. It reveals nothing about
 * whether the link exists.
 */
export async function redirectToPage(request: Request, { params }: { params: Promise<{ reference: string }> }): Promise<Response> {
  return backToPage(request, (await params).reference);
}
