import { expect, test } from "vitest";
import { cookiesOf, saidBy } from "#app/_people/form.fixture.ts";
import { cookieIn } from "#lib/cookies.ts";
import { settings } from "#lib/env.ts";
import { PEER_HEADER } from "#lib/peer.ts";
import { anApplicant, anEmail, aStranger, aVerifiedUser, lengthenWaits, signInAs, tokenMailedTo } from "#services/users/users.fixture.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { POST as choosePassword } from "./reset/password/route.ts";
import { POST as askForReset } from "./reset/send/route.ts";
import { POST as signUp } from "./sign-up/send/route.ts";

withDatabase();

function send(route: typeof signUp, fields: Record<string, string>, address = aStranger().address ?? "") {
  const { origin } = new URL(settings().DASHBOARD_URL);
  const headers = { origin, [PEER_HEADER]: address };
  return route(new Request(`${origin}/send`, { method: "POST", headers, body: new URLSearchParams(fields) }), undefined);
}

test.each([
  ["/sign-up", 10, signUp, anApplicant],
  ["/reset", 20, askForReset, () => ({ email: anEmail() })],
] as const)("the form of %s says how long to wait after %i requests from one network", async (page, free, route, fields) => {
  const { address } = aStranger();
  const answers = await Promise.all(times(free + 1, () => send(route, fields(), address ?? "")));
  expect(answers.map(({ status }) => status)).toEqual(Array(free + 1).fill(303));
  await lengthenWaits();
  const answer = await send(route, fields(), address ?? "");
  expect([answer.status, answer.headers.get("location")]).toEqual([303, page]);
  expect(saidBy(answer)).toMatchObject({
    form: page.slice(1),
    notice: { kind: "danger", text: expect.stringMatching(/Wait \d+ minutes/) },
  });
  expect((await send(route, fields())).status).toBe(303);
});

test("the browser that chooses a new password becomes a known device, and is signed out", async () => {
  const email = await aVerifiedUser();
  await send(askForReset, { email });
  const password = "another phrase of many words";
  const answer = await send(choosePassword, { token: await tokenMailedTo(email, "reset_password"), password });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/sign-in"]);
  expect(cookieIn(cookiesOf(answer), "session")).toBe("");
  const device = cookieIn(cookiesOf(answer), "device") ?? "";
  expect(await signInAs(email, { password, device })).toMatchObject({ status: "signed_in", device });
});
