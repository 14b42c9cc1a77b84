import type { LoggedRequest } from "../to-view.ts";

/** Stands for a value that the log does not keep. */
const VALUE = "…";

/** Returns a request as a command of a shell: the fields by name, without values, and the keys as variables. */
export function asCurl({ method, path, queryFields, bodyFields }: LoggedRequest, baseUrl: string): string {
  const query = queryFields.length === 0 ? "" : `?${queryFields.map((name) => `${name}=${VALUE}`).join("&")}`;
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} '${baseUrl}${path}${query}'`,
    '  -H "X-Api-Key: $OJA_KEY" -H "X-Api-Secret: $OJA_SECRET"',
  ];
  if (bodyFields.length > 0) {
    lines.push(
      '  -H "Content-Type: application/json"',
      `  -d '${JSON.stringify(Object.fromEntries(bodyFields.map((name) => [name, VALUE])))}'`,
    );
  }
  return lines.join(" \\\n");
}
