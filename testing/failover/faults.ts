import { setTimeout as wait } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";

export interface Fault {
  /** A line of the report. */
  title: string;
  hasSmallDisk?: boolean;
  /** Breaks the cluster, up to the moment when a standby may be promoted or the network is repaired. */
  begin: (cluster: Cluster) => Promise<void>;
  /** Whether the standby is promoted. Otherwise the primary stays. */
  promotes: boolean;
  /** Runs after the first acknowledgement. For example, the old primary becomes reachable again. */
  end?: (cluster: Cluster) => Promise<void>;
}

const LOSSY_FOR_MS = 10_000;
/** Longer than the watchdog's patience: requests end while there is no primary, and their leases can only be ended later. */
const SILENT_BEFORE_PROMOTION_MS = 8_000;
const BACK_FOR_MS = 12_000;

export const FAULTS: Record<string, Fault> = {
  kill: {
    title: "the primary's machine is lost (kill -9)",
    begin: ({ primary }) => primary.kill(),
    promotes: true,
  },
  silence: {
    title: "the primary falls silent, is replaced, and comes back beside its successor",
    async begin({ primary }) {
      setWeather(primary, "silent");
      await wait(SILENT_BEFORE_PROMOTION_MS);
    },
    promotes: true,
    // The old server still acts as the primary. Without its standby it cannot acknowledge commits.
    async end({ primary }) {
      setWeather(primary, "fair");
      await wait(BACK_FOR_MS);
    },
  },
  lossy: {
    title: "the network loses every other connection of clients for 10 s",
    async begin({ primary }) {
      const { network } = primary;
      if (!network) throw new Error("the server has no network");
      // Replication is left alone: a standby that lost the answer to its first command waits for it without end, because PostgreSQL has no
      // timeout there, and all commits would wait with it.
      network.weather = "lossy";
      await wait(LOSSY_FOR_MS);
      network.weather = "fair";
    },
    promotes: false,
  },
  disk: {
    title: "the primary's disk is full",
    hasSmallDisk: true,
    async begin(cluster) {
      await cluster.fillDisk();
      await cluster.primary.kill();
    },
    promotes: true,
  },
  switchover: {
    title: "the primary is stopped by an operator",
    begin: ({ primary }) => primary.stop(),
    promotes: true,
  },
};

/** Changes the weather of clients and of the standby. */
function setWeather({ network, replication }: Cluster["primary"], weather: "fair" | "silent"): void {
  if (!network || !replication) throw new Error("the server has no network");
  network.weather = weather;
  replication.weather = weather;
}
