import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { ensureChromium } from "../scripts/chromium.ts";
import { freePort } from "../server/embedded-postgres.ts";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const AIM = 95;
/** Lighthouse slows the processor down to a fourth, which is a middling phone only on a machine that is at least so fast. */
const FAST_ENOUGH = 1_000;

type Category = (typeof CATEGORIES)[number];

interface Audited {
  scores: Map<Category, number>;
  /** The audits with less than the full score, with their scores. */
  lost: string[];
  /** How fast Lighthouse found this machine. */
  machine: number;
}

/**
 * Audits a page as Lighthouse does by default: a middling phone on a slow 4G network, both simulated. Nothing of a run leaves the machine: only the
 * command line of Lighthouse reports errors, and it is not used.
 */
async function audit(url: string, port: number): Promise<Audited> {
  const result = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "error",
    onlyCategories: [...CATEGORIES],
    formFactor: "mobile",
    throttlingMethod: "simulate",
  });
  if (!result) throw new Error(`Lighthouse has no result of ${url}`);
  const { categories, audits, environment, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.message}`);
  const scoreOf = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100);
  const lost = CATEGORIES.flatMap((category) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const { score = null, title = "", displayValue = "" } = audits[id] ?? {};
      return weight > 0 && score !== null && score < 1 ? [`${category}: ${title} ${displayValue} (${Math.round(score * 100)})`] : [];
    }),
  );
  return { scores: new Map(CATEGORIES.map((category) => [category, scoreOf(category)])), lost, machine: environment.benchmarkIndex };
}

const median = (figures: number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

/** Prints the figures of Lighthouse for a page, the medians of several runs, and what costs points. */
export async function compareLighthouse(url: string, path: string, rounds: number): Promise<void> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [`--remote-debugging-port=${port}`, "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  try {
    // The first answer of a process compiles the page, which no later visitor waits for.
    await fetch(`${url}${path}`);
    const runs: Audited[] = [];
    for (let round = 0; round < rounds; round++) runs.push(await audit(`${url}${path}`, port));
    for (const category of CATEGORIES) {
      const score = median(runs.map(({ scores }) => scores.get(category) ?? 0));
      console.log(`Lighthouse of ${path}, ${category}: ${score} (aim ${AIM}: ${score >= AIM ? "met" : "missed"})`);
    }
    const machine = Math.round(median(runs.map((run) => run.machine)));
    const isTrue = machine >= FAST_ENOUGH;
    console.log(
      `Lighthouse found the machine ${machine} fast${isTrue ? "" : `: below ${FAST_ENOUGH}, as on a busy one, performance is lower than on a phone`}`,
    );
    for (const line of new Set(runs.flatMap(({ lost }) => lost))) console.log(`  ${line}`);
  } finally {
    await browser.close();
  }
}
