import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { aCard, aCardMerchant, ISSUERS, orderFault } from "#services/cards/cards.fixture.ts";
import { Dispatcher } from "#services/webhooks/index.ts";
import { anEndpoint } from "#services/webhooks/webhooks.fixture.ts";
import { apiClient } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { withReceivers } from "#testing/receiver.ts";
import { until } from "#testing/until.ts";
import { CARDS, simulatorOf } from "./virtual-cards.fixture.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const app = withApp({ LOG_LEVEL: "trace" });
withCardSweeps();
const aReceiver = withReceivers();

/** Returns every row of every table as text, including the tables of the sandbox. */
async function dump(): Promise<string> {
  const tables = await sql()<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`;
  expect(tables.length).toBeGreaterThan(40);
  const rows = await Promise.all(tables.map(({ name }) => sql().unsafe(`select t::text as row from ${name} t`)));
  return rows
    .flat()
    .map(({ row }) => row)
    .join("\n");
}

const spaced = (number: string) => number.replaceAll(/(\d{4})(?=\d)/g, "$1 ");

test.each(ISSUERS)(
  "no row, log, event, delivery, idempotency record or error contains a card number or CVV of the issuer %s",
  async (issuer) => {
    const shop = await aCardMerchant({ issuer });
    const receiver = await aReceiver();
    await anEndpoint(shop, receiver.url);
    const dispatcher = new Dispatcher();
    const api = apiClient(app, shop.key);
    const card = await aCard(shop, { balance: 20 });
    const bodies: unknown[] = [];
    const call = async (method: "get" | "post", path: string, body?: unknown) => {
      const answer = await (method === "get"
        ? api.get(path)
        : api.post(path, body, { headers: { "Idempotency-Key": `${path}/${bodies.length}` } }));
      bodies.push(answer.body);
      return answer;
    };
    const revealed = (await api.get(`${CARDS}/${card.id}/details`)).body.data;
    const { number, cvv } = revealed;
    await call("post", `${CARDS}/${card.id}/fund`, { amount: 5 });
    await call("post", simulatorOf(card.id), { amount: 1, merchant_name: "Shop" });
    await call("post", `${CARDS}/${card.id}/unload`, { amount: 1 });
    await call("post", `${CARDS}/${card.id}/unload`, { amount: 9_999 });
    await call("post", `${CARDS}/${card.id}/fund`, { amount: "rubbish" });
    for (const path of ["", "/transactions", "/operations"]) await call("get", `${CARDS}/${card.id}${path}`);
    await call("get", CARDS);
    await orderFault(issuer, "freeze", "nonsense", card);
    await call("post", `${CARDS}/${card.id}/freeze`);
    await api.get(`${CARDS}/${card.id}/details`);
    await call("post", `${CARDS}/${card.id}/terminate`);
    await until(async () => (await api.get(`${CARDS}/${card.id}`)).body.data.status === "TERMINATED", 20_000);
    await call("get", `${CARDS}/${card.id}/details`);
    // A notice of the issuer may still add an event.
    await until(async () => {
      await dispatcher.sweep();
      const [feed] = await sql()<
        { events: number }[]
      >`select last_sequence::int as events from event_counters where merchant_id = ${shop.merchant.id}`;
      return receiver.received.length >= (feed?.events ?? 0) - 1;
    });
    await dispatcher.stop();
    await call("get", "/api/v1/events?limit=100");
    await call("get", "/api/v1/webhook-deliveries?limit=100");

    // A content length may have the same three digits as the CVV.
    const received = receiver.received.map(({ headers: { "content-length": _length, ...headers }, ...rest }) => ({ ...rest, headers }));
    const places = {
      database: await dump(),
      log: await app.wholeLog(),
      answers: JSON.stringify(bodies),
      received: JSON.stringify(received),
    };
    // This proves that each place was read: the card's last four digits or its id are there.
    expect(places.database).toContain(number.slice(-4));
    for (const text of [places.database, places.log, places.answers]) expect(text).toContain(card.id);
    for (const [place, text] of Object.entries(places)) {
      for (const form of [number, spaced(number), number.slice(0, 12)])
        expect({ place, number: text.includes(form) }).toEqual({ place, number: false });
      expect({ place, cvv: text.includes(`"${cvv}"`) || /"?cvv"?\s*[:=]/i.test(text) }).toEqual({ place, cvv: false });
      expect({ place, secret: text.includes(shop.key.secretKey) }).toEqual({ place, secret: false });
    }
  },
);
