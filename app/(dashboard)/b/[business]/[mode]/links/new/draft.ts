import type { LinkDraft } from "#components/links/link-fields.tsx";

/** Returns the name of the form's intent: to create a new link, or to create another link like the given one. */
export const intentOf = (reference: string | undefined): string => (reference === undefined ? "create-link" : `create-link/${reference}`);

/** Returns the address of the preview of a draft. It contains the fields that the payer's page shows, and no data of a customer. */
export function previewOf(linksHref: string, { amount, description }: { [Field in keyof LinkDraft]?: unknown }): string {
  const shown = Object.entries({ amount, description }).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return `${linksHref}/new/preview?${new URLSearchParams(shown)}`;
}
