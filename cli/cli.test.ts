import { execFileSync } from "node:child_process";
import { CommanderError } from "commander";
import { beforeAll, expect, test, vi } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { DAY_MS, lagosDay } from "#lib/time.ts";
import { alertOperators } from "#services/alerts/index.ts";
import { systemContext } from "#services/context.ts";
import { mustPost, SETTLEMENT_BANK, SUSPENSE } from "#services/ledger/index.ts";
import { aPersonWithCodes } from "#services/users/factors/two-factor.fixture.ts";
import { mailDueRemovals, removeFactors } from "#services/users/index.ts";
import { aStranger, mailsTo, signInAs, tokenMailedTo } from "#services/users/users.fixture.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withTwoOperators } from "./operators.fixture.ts";
import { createProgram, describeFailure } from "./program.ts";

withDatabase();
const operators = withTwoOperators();

interface Output {
  failed: boolean;
  out: string;
  err: string;
}

/** Runs a command in this process, as `npm run oja -- …` does. */
async function oja(...args: string[]): Promise<Output> {
  let err = "";
  const spies = [vi.spyOn(console, "log"), vi.spyOn(console, "table")].map((spy) => spy.mockImplementation(() => {}));
  const program = createProgram();
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    command.exitOverride().configureOutput({ writeErr: (text) => (err += text), writeOut: () => {} });
  }
  let failed = false;
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    failed = true;
    if (!(error instanceof CommanderError)) err += describeFailure(error);
  }
  const out = spies.flatMap((spy) => spy.mock.calls.flat().map((part) => (typeof part === "string" ? part : JSON.stringify(part))));
  for (const spy of spies) spy.mockRestore();
  return { failed, out: out.join("\n"), err };
}

/** Returns the part of `text` that `pattern` matches. Throws an Error if it does not match. */
const found = (text: string, pattern: RegExp): string => {
  const [match] = pattern.exec(text) ?? [];
  if (!match) throw new Error(`${pattern} is not in: ${text}`);
  return match;
};

let merchant: string;
let live: string;

beforeAll(async () => {
  const { out } = await oja("create-business", "--name", "Mama Put", "--email", "ada@example.com");
  merchant = found(out, /(?<=Test merchant {2})mer_\w+/);
  live = found(out, /(?<=Live merchant {2})mer_\w+/);
});

test("no area of live mode can be switched on before live mode is open", async () => {
  const refused = await oja("enable-area", live, "checkout");
  expect(refused.failed).toBe(true);
  expect(refused.err).toContain(`Live mode of ${live} is locked. First: npm run oja -- unlock-live ${live}`);
  expect((await oja("disable-area", live, "checkout")).failed).toBe(false);
  expect((await oja("list")).out).toContain('"live mode":"locked"');
  // The tests of services/going-live open it with checks.
  await sql()`update merchants set live_unlocked_at = now() where id = ${live}`;
  expect((await oja("list")).out).toContain('"live mode":"open"');
});

test("a command that is unknown, lacks an argument or has a bad option fails and says why", async () => {
  for (const [args, message] of [
    [["bogus"], "unknown command"],
    [["list-keys"], "missing required argument"],
    [["cards", "resolve", "crd_1"], "required option '--reason <text>'"],
    [["set-rate", merchant, "--buy", "1e3", "--mid", "1", "--sell", "1"], "Write a number"],
  ] as const) {
    const { failed, err } = await oja(...args);
    expect(failed).toBe(true);
    expect(err).toContain(message);
  }
});

test("names of businesses and of keys are one line of visible text on the command line too", async () => {
  for (const [args, message] of [
    [["create-business", "--name", "Ada\nObi", "--email", "obi@example.com"], "--name: Use one line of letters, digits and signs."],
    [["create-business", "--name", "Ada\u202eibO", "--email", "obi@example.com"], "--name: Use one line of letters, digits and signs."],
    [
      ["create-business", "--name", " ", "--email", "obi"],
      "--name: Type the name of your business. --email: This is not an email address.",
    ],
    [["create-key", merchant, "--name", "Ada\nObi"], "--name: Send one line of letters, digits and signs, without invisible characters."],
    [["create-key", merchant, "--name", "\u200b"], "--name: "],
  ] as const) {
    const { failed, err } = await oja(...args);
    expect(failed).toBe(true);
    expect(err).toContain(message);
  }
});

test("a refusal of a service verb is one line, without a stack", async () => {
  for (const [args, message] of [
    [["enable-area", live, "banking"], "banking is no area. Choose from checkout, cards, vtu."],
    [["create-key", merchant, "--ip", "10.0.0.0/99"], "Number 1 is not an address or a CIDR range"],
    [["create-key", merchant, "--permission", "root"], "root is no permission."],
    [["check-live", "sandbox"], "No bank of live mode has this name. Choose from paystack, squad, monnify."],
    [["check-live", "squad"], "The settings of squad are empty. See .env.example and docs/providers/squad.md."],
    [["check-live"], "No live bank has its settings."],
    [["round-trip", "monnify"], "The settings of monnify are empty."],
    [["unlock-live", live, "--reason", "x", ...(await operators.asFirst())], "It has no bank. Choose one: npm run oja -- set-bank"],
    [
      ["unlock-live", merchant, "--reason", "x", ...(await operators.asSecond())],
      "Name the merchant of live mode: test mode is always open.",
    ],
    [["set-bank", live, "sandbox"], "No bank of live mode has this name. Choose from paystack, squad, monnify."],
    [["set-issuer", live, "sandbox"], "There is no issuer for live mode yet."],
    [["set-issuer", merchant, "visa"], "No issuer of test mode has this name. Choose from sandbox, sandbox-async."],
    [["set-rate", merchant, "--buy", "2", "--mid", "1", "--sell", "3"], "The buying rate is above zero and at most the middle rate"],
    [["set-fee", merchant, "fund", "--percent", "100.01"], "The percentage is 0 to 100"],
    [["brand", merchant, "--colour", "red"], "Send a colour like #0f766e."],
    [["embed", merchant, "--origin", "https://*.shop.example"], "Number 1 is not an origin"],
    [["cards", "resolve", "crd_1", "--reason", " "], "Say what you found"],
    [["list-keys", "mer_nobody"], "There is no merchant mer_nobody."],
    [["create-business", "--name", "Again", "--email", "ada@example.com"], "belongs to somebody already"],
  ] as const) {
    const { failed, err } = await oja(...args);
    expect(err).toContain(message);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(failed).toBe(true);
  }
});

test("every change by the command line has an audit entry of the actor `cli`, without secrets", async () => {
  const made = await oja("create-key", merchant, "--name", "Shop", "--permission", "vtu:read", "--ip", "10.0.0.1");
  const key = found(made.out, /pk_test_\w+/);
  const rolled = found((await oja("roll-key", key, "--overlap-hours", "2")).out, /pk_test_\w+/);
  expect((await oja("revoke-key", rolled)).out).toContain("is revoked");
  const { out } = await oja("list-keys", merchant);
  expect(out).toContain(key);
  for (const args of [
    ["enable-area", live, "cards"],
    ["disable-area", live, "cards"],
    ["set-issuer", merchant, "sandbox-async"],
    ["set-rate", merchant, "--buy", "1500", "--mid", "1550.5", "--sell", "1600"],
    ["set-fee", merchant, "fund", "--flat", "1"],
    ["brand", merchant, "--colour", "#0F766E", "--support-phone", "none"],
    ["embed", merchant, "--origin", "https://shop.example"],
  ]) {
    const { failed, err } = await oja(...args);
    expect([failed, err]).toEqual([false, ""]);
  }
  const noted = await sql()<{ action: string; actor_type: string; entry: string }[]>`
    select action, actor_type, e::text as entry from audit_entries e
    where business_id in (select business_id from merchants where id in (${merchant}, ${live}))`;
  expect(new Set(noted.map(({ actor_type }) => actor_type))).toEqual(new Set(["cli"]));
  expect(noted.map(({ action }) => action).toSorted()).toEqual(
    [
      ...["api_key.created", "api_key.created", "api_key.created", "api_key.rolled", "api_key.revoked", "area.enabled", "area.disabled"],
      ...["brand.changed", "business.created", "embed_origins.changed", "fee_rule.set", "provider.bound", "rate.set"],
    ].toSorted(),
  );
  expect(noted.map(({ entry }) => entry).join(" ")).not.toMatch(/sk_test/);
});

test("operators see which merchants ask for an area, until it is on", async () => {
  expect((await oja("area-requests")).out).toContain("Nobody asks for an area.");
  await sql()`insert into area_requests (merchant_id, id, area, made_by) values (${live}, 'arq_1', 'vtu', 'member:usr_bola')`;
  const { out } = await oja("area-requests");
  for (const text of [live, "vtu", "usr_bola", "enable-area"]) expect(out).toContain(text);
  await oja("enable-area", live, "vtu");
  expect((await oja("area-requests")).out).toContain("Nobody asks for an area.");
});

test("an operator asks to reset a second factor: the person is told, gets a link a day later, and the audit of each business has it", async () => {
  const { email, ctx } = await aPersonWithCodes();
  const userId = ctx.actor.id;
  const [{ business_id = "" } = {}] = await sql()`select business_id from merchants where id = ${merchant}`;
  await sql()`insert into members (business_id, user_id, role) values (${business_id}, ${userId}, 'viewer')`;
  const reset = (reason: string) => oja("members", "reset-two-factor", "--email", email.toUpperCase(), "--reason", reason);
  const entries = () => sql()<{ business_id: string }[]>`
    select business_id, actor_type, action, reason from audit_entries where subject = ${userId} and action like 'member.two_factor%'`;

  expect(await reset(" ")).toMatchObject({ failed: true, err: expect.stringContaining("Say what you found") });
  expect(await reset("Her phone was stolen; her voice was checked.")).toMatchObject({ failed: false, err: "" });
  expect((await entries()).map((entry) => entry.business_id).toSorted()).toEqual([business_id, ctx.merchant.businessId].toSorted());
  expect(await entries()).toContainEqual({
    ...{ business_id, actor_type: "cli", action: "member.two_factor_reset", reason: "Her phone was stolen; her voice was checked." },
  });
  expect((await mailsTo(email)).at(-1)?.text).toContain("The people who run Oja were asked to remove every second step");
  expect(await signInAs(email)).toMatchObject({ status: "second_factor" });
  expect(await mailDueRemovals(systemContext("test"))).toBe(0);
  await sql()`update factor_removals set created_at = created_at - interval '24 hours' where user_id = ${userId}`;
  expect(await mailDueRemovals(systemContext("test"))).toBe(1);
  expect(await removeFactors(aStranger(), await tokenMailedTo(email, "remove_factors"))).toEqual({ status: "removed" });
  expect(await signInAs(email)).toMatchObject({ status: "signed_in" });

  expect((await reset("Once more.")).out).toContain("has no second factor. Nothing changed.");
  const unknown = await oja("members", "reset-two-factor", "--email", "nobody@shop.example", "--reason", "A test.");
  expect(unknown).toMatchObject({ failed: true, err: "There is no account with the email nobody@shop.example." });
});

test("a merchant's figures are counted again, and an unknown merchant's are not", async () => {
  await sql()`insert into figure_cursors values (${merchant}, 0, 0)`;
  await sql()`insert into daily_figures values (${merchant}, '2026-11-21', 'wallet', 'invented', 1, 1)`;
  expect(await oja("figures", "rebuild", merchant)).toEqual({
    ...{ failed: false, err: "" },
    out: `The figures of ${merchant} are counted again.`,
  });
  expect(await sql()`select from daily_figures`).toHaveLength(0);
  expect(await oja("figures", "rebuild", "mer_nobody")).toMatchObject({ failed: true, err: expect.stringContaining("no merchant") });
});

test("a purchase that cannot be settled says why, and so does a file that cannot be read", async () => {
  const settle = async (id: string, ...more: string[]) =>
    oja("vtu-settle", id, "--outcome", "failed", "--evidence", "T", "--reason", "A test.", ...more, ...(await operators.asFirst()));
  expect(await settle("vtu_nobody")).toMatchObject({
    failed: true,
    err: expect.stringContaining("vtu_nobody is no purchase that is undecided"),
  });
  expect(await settle("vtu_nobody", "--delivery", "/nowhere")).toMatchObject({ failed: true, err: "/nowhere cannot be read: ENOENT." });
});

test("a rate that is far off the last one is set by two operators, and an operator's second factor is reset by two others", async () => {
  const rate = ["set-rate", live, "--buy", "2500", "--mid", "2550", "--sell", "2600"];
  await oja("set-rate", live, "--buy", "1500", "--mid", "1550", "--sell", "1600");
  expect((await oja(...rate)).err).toContain("more than 5 % off the rate of now");
  expect((await oja(...rate, ...(await operators.asFirst()))).err).toContain("--reason");
  const run = async (...words: string[]) => {
    const { out, err } = await oja(...words);
    return out + err;
  };
  expect(await operators.decide(run, ...rate, "--reason", "The market moved.")).toContain("buy / mid / sell 2500 / 2550 / 2600");

  const lost = await aPersonWithCodes();
  await sql()`insert into members (business_id, user_id, role, decides_from) values ('biz_platform', ${lost.ctx.actor.id}, 'admin', now())`;
  const reset = ["members", "reset-two-factor", "--email", lost.email, "--reason", "Her phone was stolen."];
  expect((await oja(...reset)).err).toContain("This person is an operator");
  expect((await oja(...reset, ...(await operators.asSecond()))).out).toContain("Proposed as prp_");
  const removals = () => sql()`select from factor_removals where user_id = ${lost.ctx.actor.id}`;
  expect(await removals()).toHaveLength(0);
  // One other operator who decides cannot approve it alone.
  await sql()`update members set decides_from = now() + interval '1 h' where business_id = 'biz_platform' and role = 'owner'`;
  expect((await oja(...reset)).out).toContain("gets the link that removes the second factor in 24 hours");
  expect(await removals()).toHaveLength(1);
  await sql()`update members set decides_from = now() where business_id = 'biz_platform' and role = 'owner'`;
  await sql()`delete from members where user_id = ${lost.ctx.actor.id} and business_id = 'biz_platform'`;
  await sql()`delete from alerts where type like 'proposal%'`;
});

test("operators are listed, proposed and removed, and the first is made once", async () => {
  expect((await oja("make-operator", "ada@example.com")).err).toContain("There is an operator already");
  const add = ["add-operator", "ada@example.com", "--role", "support", "--reason", "She joins."];
  const run = async (...words: string[]) => {
    const { out, err } = await oja(...words);
    return out + err;
  };
  expect(await operators.decide(run, ...add)).toContain("Make ada@example.com, who is no operator, an operator with the role support.");
  expect((await oja("operators")).out).toContain("ada@example.com");
  expect((await oja("remove-operator", "ada@example.com", "--reason", "She left.", ...(await operators.asFirst()))).out).toContain(
    "is no operator any more",
  );
  expect((await oja("operators")).out).not.toContain("ada@example.com");
  await sql()`delete from alerts where type like 'proposal%'`;
});

test("an empty list is a sentence that says so", async () => {
  expect((await oja("suspense")).out).toBe("There is no item in suspense.");
  expect((await oja("alerts")).out).toBe("There is no alert.");
  expect((await oja("vtu-exceptions")).out).toContain("No purchase is undecided for more than an hour.");
  expect((await oja("checks")).out).toContain("No check was made yet.");
});

test("checks are listed with what they covered and found, and one whose process died is not finished", async () => {
  await sql()`
    insert into check_runs (id, kind, to_time, finished_at, rows_read, findings, sample) values
      ('chk_1', 'invariants', now(), now(), 41, 2, '[{"what":"debits equal credits","rows":2,"shown":"mer_1"}]'), ('chk_2', 'cards', now(), null, null, null, '[]')`;
  const { out } = await oja("checks");
  for (const text of ["2 findings", "not finished", "chk_1  debits equal credits, 2 rows: mer_1"]) expect(out).toContain(text);
  await expect(sql()`update check_runs set findings = 0 where id = 'chk_2'`).rejects.toThrow("check_runs_finished");
});

test("days of banks are listed with what differs, and a difference is explained once, with a reason", async () => {
  const day = lagosDay(new Date(Date.now() - DAY_MS));
  expect((await oja("statements")).out).toBe("No day of a bank was compared yet.");
  expect((await oja("statement", "sandbox", day)).err).toContain(`${day} was not compared at sandbox.`);
  await sql()`
    insert into bank_days (provider, day, source, lines, matched, read_at)
    values ('sandbox', ${day}, 'statement', 3, 2, now()), ('sandbox-plain', ${day}, 'accounts', 7, 5, now())`;
  await sql()`
    insert into statement_differences (provider, day, session_id, direction, kind, amount_there)
    values ('sandbox', ${day}, 'session-odd', 'in', 'missing_here', 500000)`;
  expect((await oja("statements")).out).toContain("Money that it holds for no account of ours cannot be known.");
  expect((await oja("statement", "sandbox-plain", day)).out).toContain("Of 7 accounts of that day, 5 were read to the end.");
  const shown = (await oja("statement", "sandbox", day)).out;
  expect(shown).toContain("2 of 3 lines match.");
  expect(shown).toContain("₦5,000.00");
  const explain = (...more: string[]) => oja("statement-explain", "sandbox", day, "session-odd", ...more);
  expect((await explain()).err).toContain("--reason");
  for (const bad of ["yesterday", "2026-02-31", "banana"])
    expect((await oja("statement-explain", "sandbox", bad, "session-odd", "--reason", "x")).err).toContain(`is open on ${bad} at sandbox`);
  expect((await explain("--out", "--reason", "The other way.")).err).toContain("(out) is open on");
  expect((await explain("--reason", "A test of the bank.")).out).toBe("The difference of session-odd is explained.");
  expect((await explain("--reason", "Again.")).err).toContain("No difference of session session-odd (in) is open");
});

test("a return that a bank cannot make is settled once, with a reason", async () => {
  await sql()`
    insert into bank_transfers (merchant_id, id, provider, session_id, amount, currency, classification, disposition, received_at, return_state)
    values ('mer_platform_test', 'btr_owed', 'sandbox-plain', 'session-owed', 500000, 'NGN', 'unmatched', 'returned', now(), 'owed')`;
  await transaction((tx) =>
    mustPost(tx, "mer_platform_test", [
      { kind: "post", key: "bank_transfer:btr_owed", debit: SETTLEMENT_BANK, credit: SUSPENSE, amount: naira(5_000), meta: {} },
    ]),
  );
  expect((await oja("suspense")).out).toContain("btr_owed");
  const propose = async (reason: string) => oja("suspense-settle", "btr_owed", "--reason", reason, ...(await operators.asFirst()));
  expect((await oja("suspense-settle", "btr_owed", ...(await operators.asFirst()))).err).toContain("--reason");
  expect((await oja("suspense-settle", "btr_owed", "--reason", "Without a name.")).err).toContain("--as");
  expect((await propose("Too early.")).err).toContain("The bank may still send btr_owed back.");
  await alertOperators("test", { type: "bank_return.failed", resourceId: "btr_owed", message: "It could not." });
  const id = found((await propose("Paid back by hand.")).out, /prp_\w+/);
  expect((await oja("suspense")).out).toContain("btr_owed");
  expect((await propose("Twice.")).err).toContain("This is proposed already.");
  expect((await oja("proposals")).out).toContain(id);
  expect((await oja("approve", id, ...(await operators.asFirst()))).err).toContain("You have proposed this yourself.");
  expect((await oja("approve", id, ...(await operators.asSecond()))).out).toContain(`${id} is carried out`);
  expect((await oja("proposal", id)).out).toMatch(/Paid back by hand[\s\S]*It is carried out by \S+@/);
  expect((await propose("Again.")).err).toContain("No bank owes btr_owed to a payer.");
  expect((await oja("suspense")).out).toBe("There is no item in suspense.");
  await sql()`delete from alerts where resource_id = 'btr_owed' or type like 'proposal%'`;
  await expectInvariantsToHold();
});

test("the process ends with 0 after success, and with 1 and a message after a failure", () => {
  const run = (...args: string[]) => execFileSync(process.execPath, ["cli/main.ts", ...args], { encoding: "utf8", stdio: "pipe" });
  expect(run("alerts")).toBe("There is no alert.\n");
  expect(() => run("list-keys", "mer_nobody")).toThrow(
    expect.objectContaining({ status: 1, stderr: expect.stringContaining("There is no merchant mer_nobody.") }),
  );
});
