import { isDashboardHost } from "#lib/faces.ts";
import { htmlResponse } from "./html-response.ts";
import { publicRoute } from "./public-route.ts";

const FOR_PEOPLE = [
  ["/sign-in", "Sign in"],
  ["/sign-up", "Sign up"],
];

export const GET = publicRoute((request) => {
  const links = [
    ...(isDashboardHost(request.headers.get("host")) ? FOR_PEOPLE : []),
    ["/api/v1/openapi.json", "The API, as an OpenAPI document"],
    ["/docs/errors", "Errors, one by one"],
    ["/health", "Health of this process"],
  ];
  const list = links.map(([href, text]) => `<p><a href="${href}">${text}</a></p>`);
  return htmlResponse("Oja", `<p>Merchant payments for Nigeria. This service is running.</p>${list.join("")}`);
});
