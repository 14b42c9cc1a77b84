/** Returns the headers of a request that a page of ours sends with a session cookie. */
export const pageHeaders = (app: { url: string }, token: string, merchantId: string): Record<string, string> => ({
  Cookie: `oja-session=${token}`,
  Origin: app.url,
  "Sec-Fetch-Site": "same-origin",
  "Oja-Merchant": merchantId,
});
