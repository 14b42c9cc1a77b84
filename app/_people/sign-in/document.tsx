import { DESCRIPTION, THEME_COLOURS } from "#app/about.ts";
import { staticMarkup, styleHashOf } from "#app/static-markup.ts";
import type { FormSays } from "#components/people/form-says.ts";
import { SignIn } from "#components/people/sign-in.tsx";
import { SCRIPT_NAME, STYLES } from "./assets.generated.ts";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${styleHashOf(STYLES)}'`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface SignInDocument {
  says: FormSays;
  /** The page to open afterwards, if it is not home. */
  next: string | undefined;
}

/** Returns the whole page as static HTML. It is the first page that a person waits for, and React would be most of its bytes. */
export async function signInDocument(shown: SignInDocument): Promise<Response> {
  const markup = await staticMarkup(<Document {...shown} />);
  // The first `<style>` is the document's own, because all other text is escaped.
  return new Response(`<!doctype html>${markup.replace("<style>", () => `<style>${STYLES}`)}`, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      // With `no-referrer`, browsers would send the form with `Origin: null`.
      "Referrer-Policy": "same-origin",
      "Cache-Control": "private, no-store",
    },
  });
}

function Document(shown: SignInDocument) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="description" content={DESCRIPTION} />
        <meta name="application-name" content="Oja" />
        <meta name="color-scheme" content="light dark" />
        {THEME_COLOURS.map(({ media, color }) => (
          <meta key={media} name="theme-color" media={media} content={color} />
        ))}
        <meta name="format-detection" content="telephone=no, address=no, email=no" />
        <title>Sign in · Oja</title>
        <style />
        <script src={`/sign-in/assets/${SCRIPT_NAME}`} defer />
        <link rel="manifest" href="/site.webmanifest" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      </head>
      <body className="font-sans antialiased">
        <SignIn {...shown} />
      </body>
    </html>
  );
}
