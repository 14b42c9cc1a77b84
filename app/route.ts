import { htmlResponse } from "./html-response.ts";
import { publicRoute } from "./public-route.ts";

export const GET = publicRoute(() => {
  const links = [
    ["/api/v1/openapi.json", "The API, as an OpenAPI document"],
    ["/docs/errors", "Errors, one by one"],
    ["/health", "Health of this process"],
  ];
  const list = links.map(([href, text]) => `<p><a href="${href}">${text}</a></p>`);
  return htmlResponse("Oja", `<p>Merchant payments for Nigeria. This service is running.</p>${list.join("")}`);
});
