import { isDashboardHost } from "#lib/faces.ts";
import { htmlResponse } from "./html-response.ts";
import { publicRoute } from "./public-route.ts";

const WHAT = `<p>Oja takes payments for merchants in Nigeria. It is open source, and runs where you run it.</p>
<h2>Payment links</h2><p>Your customer transfers one exact amount to an account that is open for 30 minutes. You know within seconds.</p>
<h2>Virtual cards</h2><p>Cards in US dollars for your team, paid from your Naira wallet.</p>
<h2>Top-ups</h2><p>Airtime, data, light, cable TV and exam pins, one by one or from a file.</p>`;

const FOR_PEOPLE = '<a class="act main" href="/sign-up">Sign up</a><a class="act" href="/sign-in">Sign in</a>';
const API = '<a class="act" href="/api/v1/openapi.json">The API, as an OpenAPI document</a>';
const MORE = '<p class="more"><a href="/docs/errors">Errors of the API</a> <a href="/health">Health of this service</a></p>';

/** What Oja is, and the ways on. A host that serves no people shows the API alone. */
export const GET = publicRoute((request) => {
  const ways = `${isDashboardHost(request.headers.get("host")) ? FOR_PEOPLE : ""}${API}`;
  return htmlResponse("Payments for Nigerian merchants", `${WHAT}<div class="acts">${ways}</div>${MORE}`);
});
