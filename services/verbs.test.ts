import { globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Tx } from "#db/client.ts";
import { ROOT } from "../server/runtime.ts";
import { withApproval } from "./approval.ts";
import { getAuditEntry, listAudit } from "./audit/index.ts";
import { type Context, type OperatorContext, strangerContext, systemContext } from "./context.ts";
import { getEvent, listEvents, listNewestEvents } from "./events/index.ts";
import { ROLES } from "./members/contract.ts";
import { ALL_PERMISSIONS } from "./permissions.ts";
import { withProof } from "./proven.ts";
import { getRequest, listRequests } from "./requests/index.ts";
import { verb } from "./verb.ts";
import { getDeliveryDetail, listDeliveries } from "./webhooks/index.ts";

/** A function that the index of a service exports and that is not made by `verb`. */
interface Plain {
  name: string;
  /** Its own source, without that of functions that it calls. */
  source: string;
}

const isClass = (value: object) => /^class\b/.test(Function.prototype.toString.call(value));

/** Returns every exported function of services that is no verb and no class. */
async function plainFunctions(): Promise<Plain[]> {
  const found = new Map<string, Plain>();
  for (const index of globSync("services/*/index.ts", { cwd: ROOT })) {
    const exported: Record<string, unknown> = await import(join(ROOT, index));
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== "function" || "needs" in value || isClass(value)) continue;
      found.set(name, { name, source: Function.prototype.toString.call(value) });
    }
  }
  return [...found.values()];
}

/** Functions that read, compare or compute, by the first word of their names, or by a name that says what they return. */
const READS =
  /^(?:are|authenticate|check|count|find|get|has|is|list|look|may|names|present|quote|read|require|search|stream|sum|to)(?=[A-Z]|$)/;
const RETURNS = new Set([
  ...[
    "alertTypesOf",
    "browserName",
    "cardAccount",
    "deliveryIdOf",
    "digitsOfSmartCard",
    "directionOf",
    "firstSequenceSince",
    "groupFailures",
  ],
  ...[
    "hledgerJournal",
    "holdKeyOf",
    "idOfReference",
    "lastSequenceOf",
    "maskedNumber",
    "modeOf",
    "modeOfPublicKey",
    "normalEmail",
    "takesMoneyOut",
    "permissionsOf",
    "rolesWith",
    "sandboxBankFor",
  ],
  ...[
    "sandboxIssuerFor",
    "simulatedReference",
    "stateOf",
    "superseded",
    "typedAmount",
    "typedCell",
    "typedRecipient",
    "walletCredit",
    "withId",
  ],
]);
const WRITES =
  /\btransaction\)?\(|\.(?:insert|update|delete)\(|\binsert into\b|\bupdate \w+ set\b|\bdelete from\b|\bmustPost\)?\(|\bpostTransfers\)?\(|\braise\w*\)?\(|\bnoteInAudit\)?\(/i;
/** The first parameter of functions that join the transaction of a verb. */
const JOINS = /^(?:async )?(?:function \w+)?\(?(?:tx|reader|on)\b/;

/** Functions that write, and that verbs and faces use beside verbs: they have no caller of their own whose rights they could check. */
const SERVE_VERBS = new Set([
  ...["claimKey", "recordAnswer", "recordUnknown", "releaseClaim", "logRequest"],
  ...["endExport", "keepExport", "noteBusiness", "requireProof", "alertOperators", "announceDeliveries", "requireSecondFactor"],
  ...["storeCheck", "storeRoundTrip"],
]);

test("every exported function of services that changes something is a verb, joins the transaction of one, or is named here", async () => {
  const plain = (await plainFunctions()).filter(({ source }) => !JOINS.test(source));
  expect(plain.length).toBeGreaterThan(150);
  const isReading = ({ name, source }: Plain) => (READS.test(name) || RETURNS.has(name)) && !WRITES.test(source);
  const undeclared = plain.filter((each) => !SERVE_VERBS.has(each.name) && !isReading(each));
  expect(undeclared.map(({ name }) => name).toSorted()).toEqual([]);
});

/** The functions that read data which some roles may not see. */
const SHOWN_TO_SOME = {
  ...{ getAuditEntry, listAudit, getRequest, listRequests },
  ...{ getEvent, listEvents, listNewestEvents, getDeliveryDetail, listDeliveries },
};

test("a function that reads data which some roles may not see declares the permission, and refuses members and keys without it", async () => {
  for (const reader of Object.values(SHOWN_TO_SOME)) {
    const merchant = { id: "mer_1", mode: "live" };
    const viewer = { ...systemContext("test"), merchant, actor: { type: "member", id: "usr_1" }, role: "viewer" };
    const key = { ...systemContext("test"), merchant, actor: { type: "api_key", id: "key_1" }, permissions: ["wallet:read"] };
    for (const ctx of [viewer, key]) {
      const read = (reader as unknown as (ctx: unknown) => Promise<unknown>)(ctx);
      await expect(read).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
        message: `This needs the permission ${reader.needs.permission}.`,
      });
    }
  }
});

/** Readers of the audit that show no more than their caller's own acts, or no act at all. */
const OPEN_TO_ALL = new Set(["listActsOf", "listAuditHeads"]);

test("every list and every single thing of the audit and of the log of requests is read by a verb", async () => {
  const exported = Object.entries({ ...(await import("./audit/index.ts")), ...(await import("./requests/index.ts")) });
  const readers = exported.filter(([name]) => /^(?:get|list)[A-Z]/.test(name) && !OPEN_TO_ALL.has(name));
  expect(readers.map(([name]) => name)).toEqual(expect.arrayContaining(["getAuditEntry", "getRequest", "listAudit", "listRequests"]));
  for (const [name, reader] of readers) expect(reader, name).toHaveProperty("needs");
});

describe("a verb", () => {
  const merchant = { id: "mer_1", mode: "live" as "live" | "test" };
  interface Asked extends Context {
    merchant: { mode: "live" | "test" };
    role?: (typeof ROLES)[number];
    permissions?: readonly string[];
  }
  const from = (type: Context["actor"]["type"], rest: Partial<Asked> = {}): Asked => ({
    ...{ ...systemContext("test"), merchant, actor: { type, id: "one" } as Context["actor"] },
    ...rest,
  });
  const write = verb({ permission: "cards:write" }, async (_ctx: Asked, answer: string) => answer);

  test("runs for a key with its permission, and refuses any other key", async () => {
    expect(await write(from("api_key", { permissions: ["cards:write"] }), "done")).toBe("done");
    const others = ALL_PERMISSIONS.filter((permission) => permission !== "cards:write");
    for (const permissions of [others, [], undefined]) {
      const asked = write(from("api_key", permissions && { permissions }), "done");
      await expect(asked).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    }
  });

  test("runs for a member whose role has the permission in the mode, and not for one without a role and permissions", async () => {
    const outcomes = await Promise.allSettled(ROLES.map((role) => write(from("member", { role }), "done")));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected", "rejected"]);
    expect(await write(from("member", { role: "developer", merchant: { ...merchant, mode: "test" } }), "done")).toBe("done");
    await expect(write(from("member"), "done")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    const viewer = from("member", { role: "viewer", permissions: ["cards:write"] });
    await expect(write(viewer, "done")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("runs for the command line and for jobs of the worker", async () => {
    for (const type of ["cli", "system"] as const) expect(await write(from(type), "done")).toBe("done");
    await expect(write(from("operator"), "done")).rejects.toThrow("a verb of a merchant was called by operator");
  });

  test("asks a member for the proof that it declares, in this session and for this purpose, and a proof in live mode only there", async () => {
    const member = { ...from("member", { role: "owner" }), sessionId: "ses_1" } as unknown as Parameters<typeof withProof>[0];
    const reveal = verb({ permission: "cards:reveal", proof: "reveal_card" }, async (_ctx: Asked) => "shown");
    const proven = withProof(member, "reveal_card");
    expect(await reveal(proven)).toBe("shown");
    for (const ctx of [member, withProof(member, "manage_team"), { ...proven, sessionId: "ses_2" }]) {
      await expect(reveal(ctx)).rejects.toThrow("a verb that needs a proof for reveal_card was called without one");
    }
    expect(await reveal(from("api_key", { permissions: ["cards:reveal"] }))).toBe("shown");
    const roll = verb({ permission: "keys:write", proof: "manage_keys", proofOnlyInLive: true }, async (_ctx: Asked) => "rolled");
    await expect(roll(member)).rejects.toThrow("without one");
    expect(await roll({ ...member, merchant: { ...member.merchant, mode: "test" } })).toBe("rolled");
  });

  test("of operators is for owners and admins, unless it says that support or viewers may call it too", async () => {
    const least = (operatorRole?: "support" | "viewer") =>
      verb({ actor: ["operator"], ...(operatorRole && { operatorRole }) }, async (_ctx: Context) => "done");
    const roles = ["owner", "admin", "support", "viewer", "developer", undefined] as const;
    const whoMay = async (call: ReturnType<typeof least>) => {
      const may = await Promise.all(
        roles.map((role) =>
          call(from("operator", role ? { role } : {})).then(
            () => true,
            ({ code }) => code !== "PERMISSION_DENIED",
          ),
        ),
      );
      return roles.filter((_, i) => may[i]);
    };
    expect(await whoMay(least())).toEqual(["owner", "admin"]);
    expect(await whoMay(least("support"))).toEqual(["owner", "admin", "support"]);
    expect(await whoMay(least("viewer"))).toEqual(["owner", "admin", "support", "viewer"]);
  });

  test("of a named operator refuses the command line without a name, and one of two operators takes an approval", async () => {
    const named = verb({ actor: ["operator"], named: true }, async (_ctx: Context) => "done");
    await expect(named(from("cli"))).rejects.toThrow("was called by cli");
    expect(await named(from("operator", { role: "admin" }))).toBe("done");
    const approved = verb({ actor: ["operator"], approved: true }, async (_ctx: Context) => "done");
    for (const approval of [undefined, true, { tx: {}, proposalId: "prp_1", proposedBy: "usr_1" }])
      await expect(approved({ ...from("operator", { role: "owner" }), ...{ approval } })).rejects.toThrow("two people was called by one");
    const { actor, requestId, address } = from("operator");
    const operator: OperatorContext = { actor: { ...actor, type: "operator" }, role: "owner", requestId, address };
    expect(await approved(withApproval(operator, {} as Tx, { id: "prp_1", proposedBy: "usr_1", reason: "A test." }))).toBe("done");
  });

  test("of operators or jobs refuses all others, also owners", async () => {
    const decide = verb({ actor: ["operator"] }, async (_ctx: Context) => "decided");
    const sweep = verb({ actor: ["system"] }, async (_ctx: Context) => "swept");
    for (const role of ["owner", "admin"] as const) expect(await decide(from("operator", { role }))).toBe("decided");
    expect(await decide(from("cli"))).toBe("decided");
    for (const type of ["member", "api_key", "system"] as const)
      await expect(decide(from(type, { role: "owner" }))).rejects.toThrow("a verb for operator was called by");
    expect(await sweep(from("system"))).toBe("swept");
    await expect(sweep(from("operator", { role: "owner" }))).rejects.toThrow("a verb for system was called by operator");
  });

  test("of jobs or of a merchant refuses a stranger", async () => {
    const stranger = { ...strangerContext("payer"), merchant };
    await expect(verb({ actor: ["system"] }, async (_ctx: Context) => "swept")(stranger)).rejects.toThrow("a verb for system");
    await expect(write(stranger, "done")).rejects.toThrow("a verb of a merchant was called by system");
    expect(await verb({ actor: ["anyone"] }, async (_ctx: Context) => "done")(stranger)).toBe("done");
  });
});
