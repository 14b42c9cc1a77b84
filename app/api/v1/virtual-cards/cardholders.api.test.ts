import { beforeAll, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { aCardMerchant, ISSUERS, issuerOf, operatorAlertsAbout, orderFault } from "#services/cards/cards.fixture.ts";
import { checkDueCardholders, createCardholder, decideKyc, getCardholder } from "#services/cards/index.ts";
import { systemContext } from "#services/context.ts";
import { anOperator } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { type Api, keyed } from "../api.fixture.ts";
import { CARDS, fieldOf, HOLDERS, person } from "./virtual-cards.fixture.ts";

withDatabase();
const app = withApp();
withCardSweeps();

describe.each(ISSUERS)("at the issuer %s", (issuer) => {
  let api: Api;

  beforeAll(async () => {
    const { key } = await aCardMerchant({ issuer });
    api = apiClient(app, key);
  });
  const holderWhen = (id: number, status: string) => until(async () => (await api.get(`${HOLDERS}/${id}`)).body.data.kyc_status === status);

  test("five requests at once with one email, in any case, create one cardholder, and another merchant creates its own", async () => {
    const answers = await Promise.all(
      times(5, (i) => api.post(HOLDERS, { ...person, email: i % 2 ? "Five@Example.com" : "five@example.com" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const [row] = await sql()<{ made: number }[]>`
      select count(*)::int as made from sandbox.cardholders where email = 'five@example.com' and house = ${issuer}`;
    expect(row?.made).toBe(1);
    const other = apiClient(app, (await aCardMerchant({ issuer })).key);
    const theirs = await other.post(HOLDERS, { ...person, email: "five@example.com" });
    expect(theirs.status).toBe(201);
    expect(theirs.body.data.id).not.toBe(answers[0]?.body.data.id);
  });

  test("creating a cardholder again with its key returns the first answer and status, and another body is refused", async () => {
    const fields = { ...person, email: "keyed@example.com" };
    const first = await api.post(HOLDERS, fields, keyed("holder"));
    const again = await api.post(HOLDERS, fields, keyed("holder"));
    expect({ status: again.status, replayed: again.headers.get("idempotent-replayed"), id: again.body.data.id }).toEqual({
      status: 201,
      replayed: "true",
      id: first.body.data.id,
    });
    expectError(await api.post(HOLDERS, { ...fields, last_name: "Other" }, keyed("holder")), "IDEMPOTENCY_KEY_REUSED");
  });

  test.each([
    ["no email", { email: undefined }, "email"],
    ["no first name", { first_name: undefined }, "first_name"],
    ["an empty last name", { last_name: "  " }, "last_name"],
    ["a name of 101 characters", { first_name: "é".repeat(101) }, "first_name"],
    ["a phone of no country", { phone: "12345" }, "phone"],
    ["a Nigerian number that is too short", { phone: "080312345" }, "phone"],
    ["an unknown field", { bvn: "22222222222" }, "bvn"],
    ["a NUL", { first_name: "a\u0000" }, "first_name"],
  ])("a cardholder with %s is refused, and the error names the field", async (_flaw, fields, param) => {
    const answer = await api.post(HOLDERS, { ...person, ...fields });
    expectError(answer, "VALIDATION_ERROR");
    expect(fieldOf(answer)).toBe(param);
  });

  test("a card is refused to a cardholder who is pending or rejected", async () => {
    for (const email of ["late+pending@example.com", "bad+rejected@example.com"]) {
      const { body } = await api.post(HOLDERS, { ...person, email });
      if (email.includes("rejected")) await holderWhen(body.data.id, "REJECTED");
      expectError(await api.post(CARDS, { cardholder_id: body.data.id }), "CARDHOLDER_KYC_NOT_APPROVED");
    }
  });

  test("a person whose data the issuer refuses is not stored, and the email can be sent again", async () => {
    await orderFault(issuer, "create-cardholder", "refuse");
    const fields = { ...person, email: "not-taken@example.com" };
    expectError(await api.post(HOLDERS, fields), "PROVIDER_ERROR");
    expect((await api.post(HOLDERS, fields)).status).toBe(201);
  });

  test("a cardholder for whom the issuer gave no clear answer is checked again, and approved", async () => {
    await orderFault(issuer, "create-cardholder", "error_after");
    const { status, body } = await api.post(HOLDERS, { ...person, email: "no-answer@example.com" });
    expect({ status, kyc: body.data.kyc_status }).toEqual({ status: 201, kyc: "PENDING" });
    await holderWhen(body.data.id, "APPROVED");
  });
});

test("a list of cardholders has pages, and filters by email and status for its merchant only", async () => {
  const api = apiClient(app, (await aCardMerchant({ wallet: 0 })).key);
  const made: number[] = [];
  for (const name of ["one", "two", "three+pending"])
    made.push((await api.post(HOLDERS, { ...person, email: `${name}@example.com` })).body.data.id);
  const first = (await api.get(`${HOLDERS}?limit=2`)).body;
  const rest = (await api.get(`${HOLDERS}?limit=2&cursor=${first.pagination.next_cursor}`)).body;
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(made.toReversed());
  const idsOf = async (query: string) => (await api.get(`${HOLDERS}?${query}`)).body.data.map(({ id }: { id: number }) => id);
  expect(await idsOf("email=TWO@example.com")).toEqual([made[1]]);
  await until(async () => (await idsOf("kyc_status=APPROVED")).length === 2);
  expect(await idsOf("kyc_status=PENDING")).toEqual([made[2]]);
  expectError(await api.get(`${HOLDERS}?kyc_status=pending`), "VALIDATION_ERROR");
  const stranger = apiClient(app, (await aCardMerchant({ wallet: 0 })).key);
  expect((await stranger.get(`${HOLDERS}?email=two@example.com`)).body.data).toEqual([]);
});

test("a cardholder whose registration the issuer refuses later stays, and operators are alerted", async () => {
  const shop = await aCardMerchant();
  const issuer = issuerOf({ provider: "sandbox" });
  const silent = vi.spyOn(issuer, "createCardholder").mockResolvedValueOnce({ status: "unknown" });
  const email = `refused-${Math.random()}@example.com`.toLowerCase();
  const { cardholder } = await createCardholder(shop.ctx, { firstName: "Ada", lastName: "Obi", email, phone: null });
  await sql()`update cardholders set created_at = created_at - interval '1 hour', next_check_at = now() where id = ${cardholder.id}`;
  silent.mockResolvedValue({ status: "failed", reason: "bad name" });
  await until(async () => {
    await sql()`update cardholders set next_check_at = now() where id = ${cardholder.id}`;
    await checkDueCardholders(systemContext("test"));
    return (await operatorAlertsAbout(String(cardholder.id))).length > 0;
  });
  expect(await operatorAlertsAbout(String(cardholder.id))).toEqual(["cardholder.refused"]);
  expect((await getCardholder(shop.ctx, cardholder.id)).kycStatus).toBe("PENDING");
  await decideKyc(anOperator, cardholder, { status: "REJECTED", reason: "The issuer does not take it." });
  await sql()`update cardholders set next_check_at = now() where id = ${cardholder.id}`;
  const isOver = async () => (await sql()`select 1 from cardholders where id = ${cardholder.id} and next_check_at is null`).length > 0;
  await until(async () => {
    await checkDueCardholders(systemContext("test"));
    return isOver();
  });
  silent.mockRestore();
});
