import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Conformance suites are small files but take minutes. They start first, so that they do not run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isConformance = ({ moduleId }: TestSpecification) => moduleId.includes("/providers/sandbox/");
    const sorted = await super.sort(files);
    return [...sorted.filter(isConformance), ...sorted.filter((file) => !isConformance(file))];
  }
}

const EXCLUDED = ["node_modules/**", ".next/**", ".bench/**", "e2e/**"];
/** These tests compare times, so no other tests run beside them. */
const MEASURED = [
  "server/border.api.test.ts",
  "server/hostile.api.test.ts",
  "services/users/password-time.test.ts",
  "lib/password-queue.test.ts",
];
const shared = { setupFiles: ["testing/setup.ts"], testTimeout: 120_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    globalSetup: ["testing/global-setup.ts"],
    sequence: { sequencer: LongestFirst },
    // Each file has a database of its own and some a server. They mostly wait, so two cores carry more than two of them.
    maxWorkers: 8,
    projects: [
      { test: { ...shared, name: "measured", include: MEASURED, maxWorkers: 1, sequence: { groupOrder: 0 } } },
      {
        test: { ...shared, name: "promises", include: ["**/*.test.ts"], exclude: [...EXCLUDED, ...MEASURED], sequence: { groupOrder: 1 } },
      },
    ],
  },
});
