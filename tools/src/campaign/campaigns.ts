/** A property of the suite that can be repeated at length. Its tests call `repeat` or `cases` of the testkit. */
export interface Campaign {
  readonly name: string
  readonly summary: string
  readonly files: readonly string[]
  /** Runs of each test between two looks at the clock. A batch shares its processes and should take about a minute. */
  readonly batch: number
  /** Parts that can be run alone, by name: `campaign interop openadr`. */
  readonly parts?: Readonly<Record<string, readonly string[]>>
  /** What else its tests read from the environment. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Programs of others, which are installed where they can be reached. */
const INTEROP = {
  /** Exports sent to the Redmine and the Request Tracker of Debian, and read back; scripts that are interrupted. */
  requests: ['e2e/redmine-import.test.ts', 'e2e/rt-import.test.ts', 'packages/convert/src/targets/send.test.ts'],
  /**
   * What judges what we send, and our double of a VTN: the descriptions of OpenADR, served by Prism; OpenLEADR, a VTN; the client
   * of ElaadNL with the rules of NL-Flex and GAC.
   */
  openadr: ['e2e/openadr-peers.test.ts', 'e2e/openadr-foreign.test.ts', 'e2e/openadr-judges.test.ts'],
  /**
   * Devices of others: bacpypes3, BAC0 and BACnet4J take our writes, our NULL, our subscriptions, and a reboot while we hold. A
   * client of others: pysunspec2 reads the same points of every model as we.
   */
  drivers: ['packages/drivers/src/bacnet/third-party.test.ts', 'packages/drivers/src/sunspec/pysunspec.test.ts'],
}

export const CAMPAIGNS: readonly Campaign[] = [
  {
    name: 'kills',
    summary: 'power cuts of the controller at named points during dispatches',
    files: ['e2e/power-cuts.test.ts'],
    batch: 2,
  },
  {
    name: 'imports',
    summary: 'workers and jobs killed during imports, imports with faults, and imports against their previews',
    files: [
      'e2e/import-kills.test.ts',
      'e2e/import-takeover.test.ts',
      'e2e/import-resumption.test.ts',
      'e2e/package-faults.test.ts',
      'e2e/package-s3.test.ts',
      'packages/cloud/src/maintenance/packages/preview-against-import.test.ts',
    ],
    batch: 1,
  },
  {
    name: 'uploads',
    summary: 'clouds killed at random bytes of uploads in parts',
    files: ['e2e/upload-kills.test.ts'],
    batch: 5,
  },
  {
    name: 'demo',
    summary: 'demos that cannot start, or are interrupted at each step of their start',
    files: ['e2e/demo-faults.test.ts'],
    batch: 1,
  },
  {
    name: 'model',
    summary: 'the override engine and other state machines against their models',
    files: [
      'packages/edge/src/overrides/overrides-model.test.ts',
      'packages/edge/src/limiting/limits-model.test.ts',
      'packages/edge/src/writing/stubborn-equipment.test.ts',
      'packages/edge/src/overrides/outlook.test.ts',
      'packages/edge/src/overrides/timeline.test.ts',
      'packages/edge/src/optimisation/peak-shaving-laws.test.ts',
      'packages/edge/src/optimisation/regulator.test.ts',
      'packages/edge/src/optimisation/regulator-inputs.test.ts',
      'packages/edge/src/optimisation/site-days.test.ts',
      'packages/edge/src/store/commits-laws.test.ts',
      'packages/edge/src/telemetry/measurements-sending.test.ts',
      'packages/cloud/src/control/telemetry/history-model.test.ts',
      'packages/openadr/src/wanted/wanted-model.test.ts',
    ],
    batch: 2,
  },
  {
    name: 'long',
    summary: 'the cases that take too long for every run of the suite',
    files: [
      'packages/cloud/src/platform/jobs/worker.test.ts',
      'packages/cloud/src/platform/db/embedded/run-as.test.ts',
      'packages/cloud/src/platform/db/embedded/survival.test.ts',
      'packages/cloud/src/platform/backup/encryption.test.ts',
      'packages/convert/src/sources/languages.test.ts',
      'packages/simulator/src/main.test.ts',
      'e2e/faults-disk.test.ts',
      'e2e/kill.test.ts',
      'e2e/memory.test.ts',
    ],
    batch: 1,
  },
  {
    name: 'limits',
    summary:
      'power limits on real processes: controllers killed at each step, meters that are late, coarse or frozen, batteries that refuse, equipment by others',
    files: [
      'e2e/limit-lifecycle.test.ts',
      'e2e/limit-equipment.test.ts',
      'e2e/limit-peers.test.ts',
      'packages/edge/src/limiting/simulated-building.test.ts',
    ],
    batch: 1,
  },
  {
    name: 'openadr',
    summary:
      'OpenADR on real processes: events in registers, workers killed while they place, a VTN that is down, answers that are lost',
    files: ['e2e/openadr.test.ts'],
    batch: 1,
  },
  {
    name: 'console',
    summary: 'every page, dialog and task of the console in a browser',
    files: ['e2e/browser'],
    batch: 1,
  },
  {
    name: 'clocks',
    summary: "steps of the controller's clock during overrides",
    files: ['e2e/faults-clock.test.ts'],
    batch: 1,
  },
  {
    name: 'paces',
    summary: 'tests with a manual clock that is faster or slower than the real work beside it',
    files: ['base', 'cli', 'cloud', 'drivers', 'edge', 'simulator'].map((name) => `packages/${name}/src`),
    batch: 1,
    environment: { PLANTROOM_TEST_PACES: '1' },
  },
  {
    name: 'fleet',
    summary: 'kills of clouds, workers, broker and database under the load of 10,000 controllers',
    files: ['e2e/fleet-kills.test.ts', 'e2e/fleet.test.ts'],
    batch: 3,
  },
  {
    name: 'neighbours',
    summary:
      'one organization does its worst while another one works: what fails, and what takes more than twice its time',
    // Alone: what runs beside it would take the time of the ordinary work too.
    files: ['e2e/neighbours.test.ts'],
    batch: 1,
  },
  {
    name: 'images',
    summary: 'container images, built and run: a dispatch from them reaches equipment',
    files: ['e2e/images.test.ts'],
    batch: 1,
  },
  {
    name: 'registry',
    summary: 'both npm packages made, published to a local registry, installed and used',
    files: ['tools/src/release/make.test.ts', 'e2e/registry.test.ts'],
    batch: 1,
  },
  {
    name: 'docs',
    summary: 'every command of the documentation, run beside a demo',
    files: ['e2e/documentation.test.ts'],
    batch: 1,
  },
  {
    name: 'writes',
    summary: 'what a controller writes to its disk: idle, while it holds, and for each override',
    files: ['e2e/disk-writes.test.ts'],
    batch: 1,
  },
  {
    name: 'replacement',
    summary: 'a controller whose hardware is replaced while it holds, until its override ends',
    files: ['e2e/device.test.ts'],
    batch: 1,
  },
  {
    name: 'versions',
    summary: 'cloud and controller of this version with those of the version before, and an upgrade while it holds',
    files: ['e2e/versions.test.ts'],
    batch: 1,
  },
  {
    name: 'upgrade',
    summary: 'data of an older PostgreSQL moved by a start, with starts killed on the way',
    files: ['packages/cloud/src/platform/db/embedded/upgrade.test.ts'],
    batch: 2,
  },
  {
    name: 'backup',
    summary:
      'restores killed at random, controllers that know more than the restored cloud, other databases and buckets',
    files: ['e2e/backup.test.ts', 'packages/cloud/src/platform/backup/bucket.test.ts'],
    batch: 1,
  },
  {
    name: 'access',
    summary: 'every caller on every route',
    files: ['packages/cloud/src/organization/access/authorization-matrix.test.ts'],
    batch: 1,
  },
  {
    name: 'install',
    summary:
      'Debian packages in clean roots, of both architectures, and their units under systemd: install, upgrade, purge',
    files: ['e2e/debian-install.test.ts', 'e2e/debian-systemd.test.ts', 'e2e/debian-settings.test.ts'],
    batch: 1,
  },
  {
    name: 'interop',
    summary: `programs of others; with a NAME only: ${Object.keys(INTEROP).join(', ')}`,
    files: Object.values(INTEROP).flat(),
    parts: INTEROP,
    batch: 1,
  },
  {
    name: 'shells',
    summary: 'completion in Bash, Zsh and fish at a terminal, and the man page',
    files: ['e2e/completion.test.ts'],
    batch: 1,
  },
  {
    name: 'fuzz',
    summary: 'hostile archives and manifests, conversions of random tables, and equipment with faults',
    files: [
      'packages/fpl/src/mutated-archives.test.ts',
      'packages/convert/src/nothing-dropped.test.ts',
      'packages/convert/src/sources/exports-nothing-dropped.test.ts',
      'packages/fpl/src/differential.test.ts',
      'packages/fpl/src/write/large-package.test.ts',
      'packages/fpl/src/archive/verify-mutations.test.ts',
      'packages/fpl/src/manifest/scanner-chunks.test.ts',
      'packages/fpl/src/manifest/cut-text.test.ts',
      'packages/fpl/src/check/properties.test.ts',
      'packages/fpl/src/check/follows-schema.test.ts',
      'packages/drivers/src/modbus/many-faults.test.ts',
      'packages/drivers/src/modbus/difficult-equipment.test.ts',
      'packages/drivers/src/mqtt/payload-limit.test.ts',
    ],
    batch: 4,
  },
  {
    name: 'drain',
    summary: 'rolling restarts of two clouds behind HAProxy under load, without a failed request',
    files: ['e2e/drain.test.ts'],
    batch: 1,
  },
  {
    name: 'monitoring',
    summary: 'the alerts in promtool, and a real Prometheus that scrapes a cloud and a controller',
    files: ['e2e/monitoring.test.ts'],
    batch: 1,
  },
]

/** Makes mutants instead of repeating a property; see `mutation/`. */
export const MUTATION = 'mutation'
