import { Secret, TOTP } from "otpauth";
import { sql } from "#db/client.ts";
import type { MemberContext } from "../../context.ts";
import { beginTotp, confirmTotp, mailFirstFactorCode, signInWithCode } from "../index.ts";
import { aStranger, aVerifiedUser, codeMailedTo, PASSWORD, signInAs } from "../users.fixture.ts";

/** Returns the code that an authenticator app shows now for a secret in base 32. */
export const codeOf = (secret: string): string => TOTP.generate({ secret: Secret.fromBase32(secret) });

/** Returns a code of six digits that the app does not show now. */
export const wrongCodeFor = (secret: string): string => {
  const steps = [-1, 0, 1, 2].map((step) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + step * 30_000 }));
  return ["000000", "111111", "222222", "333333", "444444"].find((code) => !steps.includes(code)) ?? "555555";
};

/** Makes the next code valid, as if half a minute had passed. */
export const nextStep = (userId: string) => sql()`update totp_secrets set last_step = 0 where user_id = ${userId}`;

/** Signs a user in who has no second factor. Returns the context of that session. */
export async function aMemberContext(email: string): Promise<MemberContext> {
  const signedIn = await signInAs(email);
  if (signedIn.status !== "signed_in") throw new Error(signedIn.status);
  const [row] = await sql()<{ session_id: string; merchant_id: string; number: bigint; business_id: string }[]>`
    select s.id as session_id, m.id as merchant_id, m.number, m.business_id from sessions s
    join members b on b.user_id = s.user_id join merchants m on m.business_id = b.business_id and m.mode = 'test'
    where s.user_id = ${signedIn.userId} order by s.id desc`;
  if (!row) throw new Error(`no session of ${email}`);
  return {
    ...aStranger(),
    actor: { type: "member", id: signedIn.userId },
    role: "owner",
    sessionId: row.session_id,
    merchant: {
      ...{ id: row.merchant_id, businessId: row.business_id, businessName: "Ada's Kitchen", mode: "test", status: "active" },
      ...{
        number: Number(row.number),
        isOtherModeSuspended: false,
        requestsPerSecond: 100,
        requestBurst: 200,
        areas: [],
        bank: null,
        aggregator: null,
        issuer: null,
      },
    },
  };
}

/** Returns the proof with which a member without a second factor adds the first one. */
export async function firstFactorProof(ctx: MemberContext, password = PASSWORD): Promise<{ password: string; code: string }> {
  // Lifts the wait before the next code.
  await sql()`update mailed_codes set created_at = created_at - interval '2 minutes' where user_id = ${ctx.actor.id}`;
  await mailFirstFactorCode(ctx, { password });
  const [user] = await sql()<{ email: string }[]>`select email from users where id = ${ctx.actor.id}`;
  return { password, code: await codeMailedTo(user?.email ?? "") };
}

export interface TestPerson {
  email: string;
  ctx: MemberContext;
  secret: string;
  recoveryCodes: string[];
}

/** Creates a person who is signed in and has turned codes on. The next code counts. */
export const aPersonWithCodes = async (): Promise<TestPerson> => turnCodesOn(await aVerifiedUser());

/** Signs a user in who has no second factor, and turns codes on. The next code counts. */
export async function turnCodesOn(email: string): Promise<TestPerson> {
  const ctx = await aMemberContext(email);
  const { secret } = await beginTotp(ctx, await firstFactorProof(ctx));
  const recoveryCodes = await confirmTotp(ctx, codeOf(secret));
  await nextStep(ctx.actor.id);
  return { email, ctx, secret, recoveryCodes };
}

/** Gives the right password. Returns the ticket for the second factor. */
export async function aTicket(email: string, options: Parameters<typeof signInAs>[1] = {}): Promise<string> {
  const result = await signInAs(email, options);
  if (result.status !== "second_factor") throw new Error(result.status);
  return result.ticket;
}

/** Types a code after the password, from a new network and by default from a browser that is not known. */
export const typeCode = (ticket: string, code: string, { device = null as string | null, ctx = aStranger() } = {}) =>
  signInWithCode(ctx, { ticket, code, device, session: null, userAgent: "Test browser" });
