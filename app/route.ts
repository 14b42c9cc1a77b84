import { settings } from "#lib/env.ts";
import { isDashboardHost } from "#lib/faces.ts";
import { htmlResponse } from "./html-response.ts";
import { publicRoute } from "./public-route.ts";

const WHAT = `<p>Oja takes payments for merchants in Nigeria. It is open source, and runs where you run it.</p>
<h2>Payment links</h2><p>Your customer transfers one exact amount to an account that is open for 30 minutes. You know within seconds.</p>
<h2>Virtual cards</h2><p>Cards in US dollars for your team, paid from your Naira wallet.</p>
<h2>Top-ups</h2><p>Airtime, data, light, cable TV and exam pins, one by one or from a file.</p>`;

const API = '<a class="act" href="/api/v1/openapi.json">The API document</a>';
const MORE = '<p class="more"><a href="/docs/errors">Errors of the API</a> <a href="/health">Health of this service</a></p>';

/** The pages for people may be on a host of their own. */
const originOfPeople = (host: string | null) => (isDashboardHost(host) ? "" : new URL(settings().DASHBOARD_URL).origin);

/** The start page: what Oja is, and three links. */
export const GET = publicRoute((request) => {
  const there = originOfPeople(request.headers.get("host"));
  const forPeople = `<a class="act main" href="${there}/sign-up">Sign up</a><a class="act" href="${there}/sign-in">Sign in</a>`;
  return htmlResponse("Payments for Nigerian merchants", `${WHAT}<div class="acts">${forPeople}${API}</div>${MORE}`);
});
