import { SIGN } from "#components/ui/sign.ts";
import { plainPage } from "#lib/plain-page.ts";

const HOME = `<a class="home" href="/"><svg aria-hidden="true" viewBox="0 0 24 24" width="24" height="24" fill="currentColor"><path d="${SIGN}"/></svg>Oja</a>`;

/** Returns a small page of ours, with the way home. `title` and `content` are not escaped, so they must be fixed text of ours and never a merchant's. */
export function htmlResponse(title: string, content: string, status = 200): Response {
  const response = plainPage({ title: `${title} · Oja`, content: `${HOME}<h1>${title}</h1>${content}`, status });
  if (status === 200) response.headers.set("Cache-Control", "public, max-age=300");
  return response;
}
