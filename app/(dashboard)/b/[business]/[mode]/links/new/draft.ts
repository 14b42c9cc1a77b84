import type { LinkDraft } from "#components/links/link-fields.tsx";

/** Returns the name of what a person means by the form: a new link, or one more like a link. */
export const intentOf = (reference: string | undefined): string => (reference === undefined ? "create-link" : `create-link/${reference}`);

/** Returns the address of the preview of a draft. It names what the payer's page shows, and no customer. */
export function previewOf(linksHref: string, { amount, description }: { [Field in keyof LinkDraft]?: unknown }): string {
  const shown = Object.entries({ amount, description }).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return `${linksHref}/new/preview?${new URLSearchParams(shown)}`;
}
