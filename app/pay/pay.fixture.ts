import type { App } from "#testing/app.ts";

/** Returns the two requests that a payer's browser makes. `path` follows `/pay/`. Redirects are not followed. */
export function payerClient(app: App) {
  return {
    get: (path: string, headers: Record<string, string> = {}) => fetch(`${app.url}/pay/${path}`, { headers, redirect: "manual" }),
    post: (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${app.url}/pay/${path}`, { method: "POST", body: new URLSearchParams(form), headers, redirect: "manual" }),
  };
}
