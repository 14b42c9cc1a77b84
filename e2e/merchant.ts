const url = () => process.env.BASE_URL ?? "";

/** Calls the API as a shop's server would. Throws for anything but success. */
export async function api(path: string, body?: unknown, keys = process.env.E2E_KEYS) {
  const { publicKey, secretKey } = JSON.parse(keys ?? "{}");
  const response = await fetch(`${url()}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-Api-Key": publicKey, "X-Api-Secret": secretKey, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
}

export const merchantId = () => process.env.E2E_MERCHANT ?? "";

export const createLink = (fields: Record<string, unknown> = {}) =>
  api("/checkout/create", { amount: 5_000, description: "Jollof for two", ...fields });
