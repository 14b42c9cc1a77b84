import { sql } from "#db/client.ts";

/** An origin that may not be listed. The message says what one is. */
export class UnusableOrigin extends Error {
  override name = "UnusableOrigin";
}

const ORIGINS_AT_MOST = 10;
/** Narrower than what a URL may have: this goes into a policy, where `;` and `,` end a directive. */
const HOST = /^([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])$/;

/** Lists the origins whose pages may frame the merchant's payment pages; none refuses all. Throws `UnusableOrigin`. */
export async function setEmbedOrigins({ id, mode }: { id: string; mode: "test" | "live" }, origins: string[]): Promise<string[]> {
  const listed = [...new Set(origins.map((origin) => toOrigin(origin, mode)))];
  if (listed.length > ORIGINS_AT_MOST) throw new UnusableOrigin(`List at most ${ORIGINS_AT_MOST} origins.`);
  await sql()`update merchants set embed_origins = ${listed} where id = ${id}`;
  return listed;
}

/** In the one spelling that browsers use. No wildcard: each page that frames a payment is named. */
function toOrigin(text: string, mode: "test" | "live"): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBare = url !== undefined && url.href === `${url.origin}/` && HOST.test(url.hostname);
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && mode === "test");
  if (!isBare || !isSecure) {
    throw new UnusableOrigin(
      `${text} is not an origin like https://shop.example${mode === "live" ? ": live mode takes https alone" : ""}.`,
    );
  }
  return url.origin;
}
