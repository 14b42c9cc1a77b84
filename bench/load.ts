import autocannon from "autocannon";

const CONNECTIONS = 16;

export interface Target {
  name: string;
  /** The base URL, if it is not the product's. */
  url?: string;
  /** One path, several in rotation, or a path for each request. */
  path: string | string[] | (() => string);
  method?: "GET" | "POST";
  body?: string;
}

export interface Figure {
  name: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
}

export async function measureOnce(
  url: string,
  headers: Record<string, string>,
  { name, url: own = url, path, method = "GET", body }: Target,
  seconds: number,
): Promise<Figure> {
  const requests =
    typeof path === "function"
      ? [{ method, setupRequest: (request: autocannon.Request) => ({ ...request, path: path() }) }]
      : [path].flat().map((each) => ({ path: each, method }));
  const result = await autocannon({
    url: own,
    requests,
    connections: CONNECTIONS,
    duration: seconds,
    headers,
    ...(body && { body }),
  });
  const failed = result.non2xx + result.errors;
  return { name, perSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99, failed };
}

const median = (figures: number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

/** Measures all targets in several rounds, so that a slow minute of the machine affects each alike. Returns the medians. */
export async function measureAll(
  url: string,
  headers: Record<string, string>,
  targets: Target[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Figure[]> {
  const all: Figure[] = [];
  for (const target of targets) await measureOnce(url, headers, target, 2);
  for (let round = 0; round < rounds; round++) for (const target of targets) all.push(await measureOnce(url, headers, target, seconds));
  return targets.map(({ name }) => {
    const ofTarget = all.filter((figure) => figure.name === name);
    return {
      name,
      perSecond: Math.round(median(ofTarget.map(({ perSecond }) => perSecond))),
      p50Ms: median(ofTarget.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(ofTarget.map(({ p99Ms }) => p99Ms)),
      failed: ofTarget.reduce((sum, { failed }) => sum + failed, 0),
    };
  });
}
