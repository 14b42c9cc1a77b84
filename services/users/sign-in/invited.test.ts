import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { withDatabase } from "#testing/database.ts";
import { acceptInvitation, inviteMember, listMemberships, listOwnInvitations, withdrawInvitation } from "../../members/index.ts";
import { aMember, asMember } from "../../members/member.fixture.ts";
import { aMerchant, anOperator } from "../../merchants/merchant.fixture.ts";
import { withProof } from "../../proven.ts";
import { signUp, signUpInvited } from "../index.ts";
import { anApplicant, anEmail, aStranger, mailsTo, PASSWORD, signInAs, tokenMailedTo, verifyAs } from "../users.fixture.ts";

withDatabase();

async function anInvitation(email = anEmail()) {
  const { merchant, ctx } = await aMerchant();
  const owner = withProof(asMember(ctx, await aMember(merchant.businessId, "owner")), "manage_team");
  const { id } = await inviteMember(owner, { email, role: "support" });
  return { owner, email, id, businessId: merchant.businessId, token: await tokenMailedTo(email, "invitation") };
}
const userIdOf = async (email: string) => (await sql()<{ id: string }[]>`select id from users where email = ${email}`)[0]?.id ?? "";
const applicant = (token: string) => ({ token, name: "Bisi Ojo", password: PASSWORD });

test("an invited person signs up without a business of their own, verifies the email as everybody does, and joins", async () => {
  const { email, token, id, businessId } = await anInvitation();
  expect(await signUpInvited(aStranger(), applicant(token))).toEqual({ status: "done", email });
  // The link of the invitation proves nothing: a mail may be passed on.
  expect(await signInAs(email)).toEqual({ status: "unverified" });
  const userId = await userIdOf(email);
  expect(await acceptInvitation({ ...anOperator, actor: { type: "member", id: userId } }, { token })).toEqual({ status: "other_email" });
  expect(await verifyAs(await tokenMailedTo(email, "verify_email"))).toMatchObject({ status: "verified" });
  expect(await listMemberships(userId)).toEqual([]);
  expect(await listOwnInvitations(userId)).toMatchObject([{ id, businessId }]);
  expect(await acceptInvitation({ ...anOperator, actor: { type: "member", id: userId } }, { businessId, id })).toMatchObject({
    status: "joined",
  });
  expect(await listMemberships(userId)).toMatchObject([{ businessId, role: "support" }]);
});

test("an ended invitation makes no account, and an address that has an account keeps it unchanged", async () => {
  const ended = await anInvitation();
  await withdrawInvitation(ended.owner, ended.id);
  expect(await signUpInvited(aStranger(), applicant(ended.token))).toEqual({ status: "ended" });
  expect(await userIdOf(ended.email)).toBe("");
  expect(await signUpInvited(aStranger(), applicant("x".repeat(43)))).toEqual({ status: "ended" });
  const known = anApplicant();
  await signUp(aStranger(), known);
  await verifyAs(await tokenMailedTo(known.email, "verify_email"));
  const { token } = await anInvitation(known.email);
  expect(await signUpInvited(aStranger(), { ...applicant(token), password: "another password of many words" })).toMatchObject({
    status: "done",
  });
  expect((await mailsTo(known.email)).at(-1)?.kind).toBe("email_taken");
  expect(await signInAs(known.email)).toMatchObject({ status: "signed_in" });
});

test("a password that is easy to guess is refused", async () => {
  const { token, email } = await anInvitation();
  const refused = await signUpInvited(aStranger(), { ...applicant(token), password: "passwordpassword" }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Problem);
  expect(await userIdOf(email)).toBe("");
});
