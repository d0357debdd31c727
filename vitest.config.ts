import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They say how soon something must happen: beside another file they would measure that one too. */
const ON_TIME = 'e2e/{device,faults-*,kill,measurements,overrides*}.test.ts'

/** By size, as ever, but for files that take a minute or more: left to the end, each would run alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\/e2e\/package-(kills?|faults)\.test\.ts$/.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const whole = { testTimeout: 120_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'tools/src/**/*.test.ts'],
          globalSetup: 'packages/cloud/src/testing/global-setup.ts',
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        // Each file starts processes of its own, on ports and in folders of its own.
        test: { ...whole, name: 'e2e', include: ['e2e/*.test.ts'], exclude: [ON_TIME], sequence: { groupOrder: 1 } },
      },
      {
        test: {
          ...whole,
          name: 'e2e-on-time',
          include: [ON_TIME],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
