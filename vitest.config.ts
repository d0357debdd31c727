import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starts the longest files first: a long file that starts last would run alone at the end. */
const LONGEST = [
  'e2e/limit-lifecycle',
  'convert/src/targets/send',
  'tools/src/expressions/expressions',
  'cloud/src/platform/jobs/worker',
  'cloud/src/maintenance/packages/import-again',
  'cloud/src/control/devices/commissioning-routes',
  'cloud/src/organization/access/authorization-matrix',
  'cloud/src/platform/db/embedded/run-as',
  'cloud/src/platform/db/embedded/survival',
  'cloud/src/platform/broker/accounts/nats-accounts',
  'cloud/src/control/alerts/evaluator',
  'cloud/src/control/openadr/notifications',
  'cloud/src/control/openadr/send-report',
  'base/src/output',
  'simulator/src/main',
  'fpl/src/mutated-archives',
  'fpl/src/content/read-entries',
  'e2e/faults-clock',
  'e2e/memory',
  'e2e/package-faults',
  'e2e/import-takeover',
  'e2e/kill',
  'e2e/faults-uplink',
  'e2e/faults-equipment',
  'e2e/package-contract',
  'e2e/faults-disk',
  'e2e/package-cli',
  'e2e/demo',
  'e2e/overrides',
  'e2e/measurements',
  'e2e/overrides-cli',
  'e2e/overrides-beneath',
  'e2e/commissioning',
  'e2e/cli',
  'e2e/device',
]

/** Files whose helpers keep state or hooks in a module, and so need their own process. */
const ISOLATED = ['packages/cloud/src/platform/db/embedded/*.test.ts']

/** What takes long or needs more of the system: only campaigns run them. `import-takeover` kills too. */
const CAMPAIGN_FILES = [
  'e2e/backup.test.ts',
  'e2e/debian-install.test.ts',
  'e2e/debian-settings.test.ts',
  'e2e/debian-systemd.test.ts',
  'e2e/demo-faults.test.ts',
  'e2e/drain.test.ts',
  'e2e/fleet-kills.test.ts',
  'e2e/fleet.test.ts',
  'e2e/images.test.ts',
  'e2e/import-kills.test.ts',
  'e2e/import-resumption.test.ts',
  'e2e/limit-equipment.test.ts',
  'e2e/limit-peers.test.ts',
  'e2e/monitoring.test.ts',
  'e2e/neighbours.test.ts',
  'e2e/openadr-foreign.test.ts',
  'e2e/openadr-judges.test.ts',
  'e2e/package-s3.test.ts',
  'e2e/redmine-import.test.ts',
  'e2e/registry.test.ts',
  'e2e/rt-import.test.ts',
]
/** Builds a whole release. */
const CAMPAIGN_UNIT_FILES = ['tools/src/release/make.test.ts']
const isCampaign = process.env.PLANTROOM_TEST_RUNS !== undefined
const ONLY_IN_CAMPAIGNS = isCampaign ? [] : CAMPAIGN_FILES

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return index < 0 ? LONGEST.length : index
}

export default defineConfig({
  test: {
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'tools/src/**/*.test.ts'],
          exclude: isCampaign ? ISOLATED : [...ISOLATED, ...CAMPAIGN_UNIT_FILES],
          globalSetup: 'packages/cloud/src/testing/global-setup.ts',
          setupFiles: [
            'packages/web/src/texts/choice/testing-language.ts',
            'packages/cloud/src/testing/drop-databases.ts',
          ],
          // The files of one worker share its process and its modules: loading them took a third of the time. A test
          // that changes something global restores it.
          isolate: false,
          // More than cores: many tests wait for a peer.
          maxWorkers: 3,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: { name: 'unit-isolated', include: ISOLATED, maxWorkers: 3, testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/*.test.ts'],
          exclude: ONLY_IN_CAMPAIGNS,
          globalSetup: 'e2e/support/database-template.ts',
          // Each file starts its own processes, on its own ports and in its own folders. Most of the time it waits.
          maxWorkers: 5,
          // As above: a second of CPU per file.
          isolate: false,
          // A test that fails waits this long only when the machine is very busy.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
