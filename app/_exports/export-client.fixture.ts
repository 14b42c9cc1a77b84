import type { App } from "#testing/app.ts";

type Headers = Record<string, string | undefined>;

export interface Exported {
  status: number;
  /** The whole text, with its byte order mark. */
  text: string;
  headers: globalThis.Headers;
}

/** Returns the headers that a browser sends for a click on a link of the dashboard. */
export const linkHeaders = ({ token }: { token: string }): Record<string, string> => ({
  Cookie: `oja-session=${token}`,
  "Sec-Fetch-Site": "same-origin",
  Accept: "text/html,application/xhtml+xml",
  // No compression: a compressed file of similar rows would fit into the buffers of the connection.
  "Accept-Encoding": "identity",
});

export const exportPath = (list: string, query: Record<string, string>): string =>
  `/api/dashboard/exports/${list}?${new URLSearchParams(query)}`;

/** Opens a download, as a browser does. `changes` replaces a header, or leaves it out where it is undefined. */
export async function openExport(
  app: App,
  member: { token: string },
  path: string,
  { changes = {}, signal, method = "GET" }: { changes?: Headers; signal?: AbortSignal; method?: string } = {},
): Promise<Response> {
  const given = Object.entries({ ...linkHeaders(member), ...changes });
  const headers = Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  return fetch(`${app.url}${path}`, { method, headers, ...(signal && { signal }) });
}

/** Downloads a whole file. Rejects where the connection breaks. */
export async function download(...given: Parameters<typeof openExport>): Promise<Exported> {
  const response = await openExport(...given);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
  return { status: response.status, text, headers: response.headers };
}

/** Returns the rows of a file by their headings. Assumes that no value has a line break. */
export function rowsOf({ text }: Pick<Exported, "text">): Record<string, string>[] {
  const [head = [], ...rows] = text
    .replace(/^\ufeff/, "")
    .split("\r\n")
    .slice(0, -1)
    .map(valuesOf);
  return rows.map((row) => Object.fromEntries(head.map((heading, n) => [heading, row[n] ?? ""])));
}

const valuesOf = (line: string): string[] =>
  [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain);
