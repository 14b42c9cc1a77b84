import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { MAX_FORWARDERS, type UntrustedForwarder } from "./forwarders.ts";

/** A new process ends the leases of at most this many earlier processes. */
const MAX_ENDED = 100;

// Next and the services are imported here, so that the parent process does not load them.
if (cluster.isPrimary) startWorkers(settings().WEB_CONCURRENCY);
else await answerRequests();

/** Ends this process if it cannot start, so that its parent starts another one. Otherwise Next would keep it alive without a port. */
async function answerRequests(): Promise<void> {
  try {
    await (await import("./serve.ts")).serve();
  } catch (error) {
    log().fatal({ err: error }, "a web process could not begin");
    process.exit(1);
  }
}

function startWorkers(count: number): void {
  let stopping = false;
  const names = new Map<number, string>();
  const ended: string[] = [];
  const fork = () => {
    const name = randomUUID();
    names.set(cluster.fork({ OJA_PROCESS_ID: name, OJA_ENDED_PROCESSES: ended.slice(-MAX_ENDED).join() }).id, name);
  };
  const stop = () => {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {});
    if (workers.length === 0) process.exit(0);
    for (const worker of workers) worker?.process.kill("SIGTERM");
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", () => {});
  // The parent has ended, so no other process would stop this one.
  process.on("disconnect", stop);
  for (let i = 0; i < count; i++) fork();
  cluster.on("message", warnOfForwarder());
  cluster.on("exit", (worker, code, signal) => {
    ended.push(names.get(worker.id) ?? "");
    names.delete(worker.id);
    if (!stopping) {
      log().error({ pid: worker.process.pid, code, signal }, "a web process ended; it is replaced by another");
      setTimeout(() => (stopping ? undefined : fork()), 500);
    } else if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(0);
  });
}

/** Returns a listener that warns of each address once, however many web processes report it. */
function warnOfForwarder(): (worker: unknown, message: Partial<UntrustedForwarder>) => void {
  const warned = new Set<string>();
  return (_worker, { untrustedForwarder: address }) => {
    if (address === undefined || warned.has(address) || warned.size >= MAX_FORWARDERS) return;
    warned.add(address);
    log().warn(
      { address },
      "X-Forwarded-For arrives from an address that TRUSTED_PROXIES does not name, and is ignored. If that is your proxy, name it: until then all of its clients count as one address",
    );
  };
}
