import autocannon from "autocannon";

const ATTEMPTS_PER_SECOND = 200;
/** Far below the capacity of a process, so that the times are those of a normally loaded service, not of a saturated one. */
const READS_PER_SECOND = 200;
const CONNECTIONS = 16;

let sent = 0;
/** Another account and another network for each try, so that no rate limit refuses it before its password is checked. */
const aTry = (url: string, request: autocannon.Request): autocannon.Request => {
  const n = ++sent;
  return {
    ...request,
    headers: {
      ...{ origin: url, "content-type": "application/x-www-form-urlencoded" },
      "x-forwarded-for": `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`,
    },
    body: `email=somebody-${n}%40shop.example&password=not+the+password`,
  };
};

interface SignIns {
  headers: Record<string, string>;
  statusPath: string;
  seconds: number;
  rounds: number;
}

/** Measures the p99 of reading a link's status alone, and beside sign-in attempts with wrong passwords, in turns. Prints the ratio of the medians. */
export async function compareSignIns(url: string, { headers, statusPath, seconds, rounds }: SignIns): Promise<void> {
  const read = () =>
    autocannon({ url: `${url}${statusPath}`, headers, connections: CONNECTIONS, overallRate: READS_PER_SECOND, duration: seconds });
  const attempts = () =>
    autocannon({
      url,
      connections: CONNECTIONS,
      overallRate: ATTEMPTS_PER_SECOND,
      duration: seconds,
      requests: [{ method: "POST", path: "/sign-in/send", setupRequest: (request) => aTry(url, request) }],
    });
  await read();
  const rows: { aloneMs: number; besideMs: number; attempts: number; refused: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await read();
    const [beside, tried] = await Promise.all([read(), attempts()]);
    if (alone.non2xx + beside.non2xx > 0) throw new Error("a status was not read");
    rows.push({
      aloneMs: alone.latency.p99,
      besideMs: beside.latency.p99,
      attempts: tried.requests.average,
      refused: tried["5xx"] + tried["4xx"],
    });
  }
  console.table(rows);
  const middle = (figures: number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
  const ratio = middle(rows.map(({ besideMs }) => besideMs)) / middle(rows.map(({ aloneMs }) => aloneMs));
  console.log(`status beside ${ATTEMPTS_PER_SECOND} wrong sign-ins a second: p99 is ${ratio.toFixed(1)} times its own alone (aim 2)`);
}
