import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { afterAll, afterEach, expect, test } from "vitest";
import { listenOnLoopback } from "#testing/listen-on-loopback.ts";
import { AddressRefused, checkUrl, GuardedClient, isOurFault, type OutboundPolicy } from "./guarded-request.ts";
import { isLoopback, isPublic } from "./public-address.ts";

const LIVE: OutboundPolicy = { strict: true, allowLoopback: false };
const TEST: OutboundPolicy = { strict: false, allowLoopback: false };
const DEVELOPMENT: OutboundPolicy = { strict: false, allowLoopback: true };

const servers: Server[] = [];
const clients: GuardedClient[] = [];
const clientAddressOf = (...given: ConstructorParameters<typeof GuardedClient>) => {
  const client = new GuardedClient(...given);
  clients.push(client);
  return client;
};
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

/** Starts a server on the loopback address. Returns its port. */
async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  return listenOnLoopback(server);
}

const post = { headers: {}, body: Buffer.from("{}"), deadlineMs: 2_000 };

const HOSTILE = {
  "this network": "0.0.0.0",
  "private 10/8": "10.0.0.1",
  "carrier-grade NAT": "100.64.0.1",
  "Alibaba's metadata": "100.100.100.200",
  loopback: "127.0.0.1",
  "the end of loopback": "127.255.255.254",
  "cloud metadata": "169.254.169.254",
  "private 172.16/12": "172.16.0.1",
  "the end of 172.16/12": "172.31.255.255",
  "Oracle's metadata": "192.0.0.192",
  "documentation 1": "192.0.2.1",
  "6to4 relay": "192.88.99.1",
  "private 192.168/16": "192.168.1.1",
  benchmarking: "198.18.0.1",
  "documentation 2": "198.51.100.1",
  "documentation 3": "203.0.113.1",
  "Azure's own services": "168.63.129.16",
  multicast: "224.0.0.1",
  reserved: "240.0.0.1",
  broadcast: "255.255.255.255",
  "unspecified v6": "::",
  "loopback v6": "::1",
  "IPv4-compatible": "::7f00:1",
  "mapped loopback": "::ffff:127.0.0.1",
  "mapped loopback in hexadecimal": "::ffff:7f00:1",
  "mapped metadata": "::ffff:169.254.169.254",
  "translated v4": "::ffff:0:127.0.0.1",
  "NAT64 of loopback": "64:ff9b::7f00:1",
  "NAT64 of metadata": "64:ff9b::a9fe:a9fe",
  "local NAT64": "64:ff9b:1::1",
  discard: "100::1",
  Teredo: "2001::1",
  "ORCHID v2": "2001:20::1",
  "documentation v6": "2001:db8::1",
  "newer documentation v6": "3fff::1",
  "6to4 of loopback": "2002:7f00:1::",
  "unique local": "fd00::1",
  "AWS metadata v6": "fd00:ec2::254",
  "link local v6": "fe80::1",
  "link local with a zone": "fe80::1%eth0",
  "site local": "fec0::1",
  "multicast v6": "ff02::1",
  "segment routing": "5f00::1",
  "no address": "localhost",
  "an empty one": "",
};

test.each(Object.entries(HOSTILE))("%s is not public", (_name, address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(["8.8.8.8", "1.1.1.1", "102.89.23.1", "172.32.0.1", "2606:4700::1111", "2c0f:f248::1", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
  "%s is public",
  (address) => {
    expect(isPublic(address)).toBe(true);
    expect(isLoopback(address)).toBe(false);
  },
);

/** Spellings of addresses that a plain list of strings would miss. */
const SPELLINGS = [
  "http://shop.example/",
  "ftp://shop.example/",
  "file:///etc/passwd",
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0177.0.0.1/",
  "https://127.0.0.1./",
  "https://[::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[64:ff9b::169.254.169.254]/",
  "https://169.254.169.254/latest/meta-data/",
  "https://①②⑦.⓪.⓪.①/",
  "https://localhost/",
  "https://LOCALHOST./",
  "https://oja.localhost/",
  "https://user:password@shop.example/",
  "https://shop.example/#fragment",
  "//shop.example",
  "shop.example",
  "",
  `https://shop.example/${"a".repeat(2_048)}`,
];

test.each(SPELLINGS)("%s is refused as it is written, in both modes", (address) => {
  expect(() => checkUrl(address, LIVE)).toThrow(AddressRefused);
  expect(() => checkUrl(address, TEST)).toThrow(AddressRefused);
});

test("live mode accepts port 443 alone, and test mode any port", () => {
  expect(() => checkUrl("https://shop.example:8443/x", LIVE)).toThrow(/443/);
  expect(checkUrl("https://shop.example:443/x", LIVE).href).toBe("https://shop.example/x");
  expect(checkUrl("https://shop.example:8443/x", TEST).port).toBe("8443");
});

test("development accepts http and this machine, and still no other private address", () => {
  for (const address of ["http://localhost:4000/x", "http://127.0.0.1:4000", "http://[::1]:4000/", "http://shop.example/"])
    expect(checkUrl(address, DEVELOPMENT)).toBeInstanceOf(URL);
  for (const address of ["http://10.0.0.1/", "http://169.254.169.254/", "https://[fd00::1]/"])
    expect(() => checkUrl(address, DEVELOPMENT)).toThrow(AddressRefused);
  expect(() => new GuardedClient({ strict: true, allowLoopback: true })).toThrow(RangeError);
});

test.each(Object.values(HOSTILE).filter((address) => address.includes(".") || address.includes(":")))(
  "a name that resolves to %s is not called",
  async (address) => {
    const client = clientAddressOf(TEST, async () => ["8.8.8.8", address]);
    await expect(client.post("https://shop.example/", post).answer).rejects.toThrow(/public internet/);
  },
);

test("a name is resolved once for a connection, and the connection goes to the address that was checked", async () => {
  const port = await listen((_request, response) => response.end("here"));
  const answers = [["127.0.0.1"], ["169.254.169.254"]];
  let asked = 0;
  const client = clientAddressOf(DEVELOPMENT, async () => answers[asked++] ?? []);
  const { body } = await client.post(`http://rebound.example:${port}/`, post).answer;
  expect({ asked, body: body.toString() }).toEqual({ asked: 1, body: "here" });
});

test("a name that begins to resolve to a private address is refused from then on", async () => {
  const port = await listen((_request, response) => response.setHeader("Connection", "close").end("here"));
  const answers = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "10.0.0.1"], []];
  let asked = 0;
  const client = clientAddressOf(DEVELOPMENT, async () => answers[asked++] ?? []);
  const send = () => client.post(`http://rebound.example:${port}/`, post).answer;
  expect((await send()).status).toBe(200);
  await expect(send()).rejects.toThrow(/public internet/);
  await expect(send()).rejects.toThrow(/public internet/);
  await expect(send()).rejects.toThrow(/public internet/);
  expect(asked).toBe(4);
});

test("an unknown name and a name with a private address are refused with the same message", async () => {
  const refusalOf = (addresses: string[]) =>
    clientAddressOf(TEST, async () => addresses)
      .post("https://shop.example/", post)
      .answer.catch((error) => `${error}`);
  const messages = await Promise.all([refusalOf([]), refusalOf(["10.0.0.1"]), refusalOf(["127.0.0.1"]), refusalOf(["8.8.8.8", "fd00::1"])]);
  expect(new Set(messages).size).toBe(1);
});

test("a redirect is not followed", async () => {
  let calls = 0;
  const port = await listen((_request, response) => {
    calls++;
    response.writeHead(307, { Location: "/elsewhere" }).end();
  });
  expect((await clientAddressOf(DEVELOPMENT).post(`http://localhost:${port}/`, post).answer).status).toBe(307);
  expect(calls).toBe(1);
});

test("at most 16 KB of an answer are read, however long it is", async () => {
  let written = 0;
  const port = await listen((_request, response) => {
    const more = () => {
      while (!response.destroyed && written < 2 ** 30 && response.write(Buffer.alloc(4_096, 120))) written += 4_096;
    };
    response.on("drain", more);
    more();
  });
  const { body, status } = await clientAddressOf(DEVELOPMENT).post(`http://localhost:${port}/`, post).answer;
  expect({ status, length: body.length }).toEqual({ status: 200, length: 16 * 1024 });
  expect(written).toBeLessThan(2 ** 26);
});

/** Starts a server that accepts connections and sends nothing, so that a TLS handshake never comes. */
async function listenInSilence(): Promise<number> {
  const silent = createTcpServer();
  silent.unref();
  return listenOnLoopback(silent);
}

/** Returns the outcome of an answer, and fails if it takes 10 s. Without a deadline the requests below take 15 s, 20 s or for ever. */
const inTime = async (answer: Promise<unknown>) => {
  const startedAt = performance.now();
  const outcome = await answer.catch((error) => error);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  return outcome;
};
const never: RequestListener = () => {};

test("a request whose name server does not answer ends at the deadline", async () => {
  const client = clientAddressOf(DEVELOPMENT, () => new Promise(() => {}));
  const { answer, sent } = client.post("https://shop.example/", { ...post, deadlineMs: 300 });
  expect(await inTime(answer)).toMatchObject({ name: "TimeoutError" });
  await inTime(sent);
});

test("requests without a handshake all end at the deadline, and delay no other request to that host", async () => {
  const port = await listenInSilence();
  const client = clientAddressOf(DEVELOPMENT);
  const stuck = Array.from({ length: 5 }, () => client.post(`https://localhost:${port}/`, { ...post, deadlineMs: 300 }).answer);
  const outcomes = await Promise.all(stuck.map((answer) => inTime(answer)));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ name: "TimeoutError" });
});

test("a request that is aborted before it is connected ends at once", async () => {
  const stopped = new AbortController();
  const client = clientAddressOf(DEVELOPMENT, () => new Promise(() => {}));
  const { answer } = client.post("https://shop.example/", { ...post, deadlineMs: 20_000 }, stopped.signal);
  stopped.abort();
  expect(await inTime(answer)).toMatchObject({ name: "AbortError" });
});

test("a request whose answer has no headers ends at the deadline", async () => {
  const port = await listen(never);
  const { answer } = clientAddressOf(DEVELOPMENT).post(`http://localhost:${port}/`, { ...post, deadlineMs: 300 });
  expect(await inTime(answer)).toMatchObject({ name: "TimeoutError" });
});

const headersOnly: RequestListener = (_request, response) => {
  response.writeHead(410, { "Content-Length": "100" }).flushHeaders();
};
const drip: RequestListener = (_request, response) => {
  response.writeHead(410);
  const timer = setInterval(() => response.write("."), 50);
  response.on("close", () => clearInterval(timer));
};
test.each([
  ["never comes", headersOnly],
  ["drips", drip],
])("an answer whose body %s ends at the same deadline, and its received part is kept", async (_name, answer) => {
  const port = await listen(answer);
  const exchange = clientAddressOf(DEVELOPMENT).post(`http://localhost:${port}/`, { ...post, deadlineMs: 300 });
  expect(await inTime(exchange.answer)).toMatchObject({ status: 410, brokenBy: { name: "TimeoutError" } });
});

test("a request reports when it was sent, also without an answer", async () => {
  const port = await listen(never);
  const stopped = new AbortController();
  const exchange = clientAddressOf(DEVELOPMENT).post(`http://localhost:${port}/`, { ...post, deadlineMs: 20_000 }, stopped.signal);
  const outcome = exchange.answer.catch((error) => error.name);
  await exchange.sent;
  stopped.abort();
  expect(await outcome).toBe("AbortError");
});

test("a fault of ours is told apart from a fault of the other side", () => {
  const failure = (fields: object) => Object.assign(new Error("x"), fields);
  expect(isOurFault(failure({ code: "EMFILE", syscall: "socket" }))).toBe(true);
  expect(isOurFault(failure({ code: "ECONNREFUSED", syscall: "queryA" }))).toBe(true);
  expect(isOurFault(new AggregateError([failure({ code: "EADDRNOTAVAIL" }), failure({ code: "EMFILE" })]))).toBe(true);
  expect(isOurFault(new AggregateError([failure({ code: "EADDRNOTAVAIL" }), failure({ code: "ECONNREFUSED" })]))).toBe(false);
  for (const fields of [{ code: "ECONNREFUSED", syscall: "connect" }, { code: "ENOTFOUND", syscall: "queryA" }, { code: "ECONNRESET" }, {}])
    expect(isOurFault(failure(fields))).toBe(false);
  expect(isOurFault("a text")).toBe(false);
});
