import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { withDatabase } from "#testing/database.ts";
import { changeApiKey, createApiKey, resumePausedApiKey, rollApiKey } from "../api-keys/index.ts";
import { revealDetails } from "../cards/index.ts";
import type { MemberContext } from "../context.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import { type ProvenContext, withProof } from "../proven.ts";
import { changeRole, handOver, inviteMember, leaveBusiness, removeMember, requireTwoFactor, resendInvitation } from "./index.ts";
import { aMember, asMember } from "./member.fixture.ts";

withDatabase();

const SERVICES = join(import.meta.dirname, "..");

/** A statement that changes who may do what: a member, an invitation, a key, an area, or the rule about second factors. */
const CHANGES_RIGHTS =
  /\.(?:insert|update|delete)\((?:members|invitations|apiKeys|merchantAreas)\)|(?:insert into|update|delete from) (?:members|invitations|api_keys|merchant_areas)\b|twoFactorRequiredAt:/;

/** Each file that has such a statement. "proof": its verbs refuse a member without a proof. Otherwise the reason why none is due. */
const FILES: Record<string, string> = {
  "api-keys/change-api-key.ts": "proof",
  "api-keys/create-api-key.ts": "proof",
  "api-keys/pause-api-keys.ts": "proof",
  "api-keys/roll-api-key.ts": "proof",
  "api-keys/revoke-api-key.ts": "An emergency brake: a stranger with a session can only stop a key, and its owner must be quick.",
  "members/change-role.ts": "proof",
  "operators/make-operator.ts": "Operators prove who they are at the command line, and two decide who is one.",
  "members/invite-member.ts": "proof",
  "members/remove-member.ts": "proof",
  "members/require-two-factor.ts": "proof",
  "members/resend-invitation.ts": "proof",
  "members/accept-invitation.ts": "The link of a mail is the proof, and its sender has proved.",
  "members/decline-invitation.ts": "It gives nobody a right, and the link of a mail is the proof.",
  "members/invitation-rows.ts": "Ends an invitation for the verbs that withdraw or replace it: nobody has a right by it yet.",
  "members/pause-invitations.ts": "For the link 'This was not me', which is a proof.",
  "merchants/areas.ts": "Operators alone.",
  "merchants/create-business.ts": "Makes a business, with its first owner and key.",
};

test("every file of services that changes rights is listed here, with its proof or the reason why it needs none", () => {
  const files = readdirSync(SERVICES, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !/\.(?:test|fixture)\.ts$/.test(path),
  );
  const found = files.filter((path) => CHANGES_RIGHTS.test(readFileSync(join(SERVICES, path), "utf8")));
  expect(found.toSorted()).toEqual(Object.keys(FILES).toSorted());
});

describe("without a proof, with one for something else, or with one of another session, a member", () => {
  let live: MemberContext;
  let test_: MemberContext;
  beforeAll(async () => {
    const { merchant, ctx, liveMerchantId } = await aMerchant();
    test_ = asMember(ctx, await aMember(merchant.businessId, "owner"));
    live = { ...test_, merchant: { ...merchant, id: liveMerchantId, mode: "live" } };
  });

  type Unproven = ProvenContext<"manage_team">;
  /** Every verb that needs a proof. A member of the wrong type stands for a caller that forgets it. */
  const VERBS: Record<string, (ctx: Unproven) => Promise<unknown>> = {
    inviteMember: (ctx) => inviteMember(ctx, { email: "new@people.example", role: "viewer" }),
    resendInvitation: (ctx) => resendInvitation(ctx, "inv_1"),
    changeRole: (ctx) => changeRole(ctx, "usr_1", "viewer"),
    handOver: (ctx) => handOver(ctx, "usr_1"),
    removeMember: (ctx) => removeMember(ctx, "usr_1"),
    leaveBusiness: (ctx) => leaveBusiness(ctx),
    requireTwoFactor: (ctx) => requireTwoFactor(ctx, true),
    createApiKey: (ctx) => createApiKey(ctx, { name: "Server" }),
    rollApiKey: (ctx) => rollApiKey(ctx, "key_1", 0),
    changeApiKey: (ctx) => changeApiKey(ctx, "key_1", { version: 1, permissions: ["wallet:read"] }),
    resumePausedApiKey: (ctx) => resumePausedApiKey(ctx, "key_1"),
    revealDetails: (ctx) => revealDetails(ctx, "card_1"),
  };

  test.each(Object.entries(VERBS))("does nothing by %s", async (_name, verb) => {
    const forgotten = live as Unproven;
    const another = { ...withProof(live, "remove_passkey"), sessionId: live.sessionId } as unknown as Unproven;
    const elsewhere = { ...withProof({ ...live, sessionId: "ses_other" }, "manage_team"), sessionId: live.sessionId };
    for (const ctx of [forgotten, another, elsewhere]) await expect(verb(ctx)).rejects.toThrow(/was called without one/);
  });

  test("a member without a proof can make a key of test mode, because it opens nothing real", async () => {
    await createApiKey(test_, { name: "Server" });
  });
});
