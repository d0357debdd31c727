import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LintedTree, lintTree } from './testing/linted-tree.ts'

type Case = readonly [folder: string, specifier: string]

const allowed: readonly Case[] = [
  // Packages
  ['packages/base/src', 'node:crypto'],
  ['packages/base/src', 'pino'],
  ['packages/contract/src', './failure.ts'],
  ['packages/contract/src/nested', '../failure.ts'],
  ['packages/fpl/src', '@plantroom/base/clock'],
  ['packages/fpl/src', '@plantroom/contract/failure'],
  ['packages/openadr/src/wanted', '@plantroom/base/sha256'],
  ['packages/openadr/src/wanted', '@plantroom/contract/openadr-mapping'],
  ['packages/cloud/src/control/devices', '@plantroom/openadr/wanted'],
  ['packages/convert/src', '@plantroom/fpl/write-package'],
  ['packages/cloud/src/maintenance/packages', '@plantroom/convert/convert'],
  ['packages/cli/src', '@plantroom/convert/convert'],
  ['packages/drivers/src/modbus', '@plantroom/base/clock'],
  ['packages/drivers/src/modbus', '@plantroom/contract/failure'],
  ['packages/drivers/src/modbus', '../driver.ts'],
  ['packages/edge/src/connections', '@plantroom/drivers/driver'],
  ['packages/edge/src/link', '@plantroom/contract/topics'],
  ['packages/cloud/src/maintenance/packages', '@plantroom/fpl/read-package'],
  ['packages/cloud/src', '@plantroom/base/log'],
  // Fpl, downward
  ['packages/fpl/src', './check/checker.ts'],
  ['packages/fpl/src/check', '../manifest/scanner.ts'],
  ['packages/fpl/src/check', '../archive/archive.ts'],
  ['packages/fpl/src/content', '../archive/archive.ts'],
  ['packages/fpl/src/write', '../archive/entry-names.ts'],
  ['packages/fpl/src/archive', '../refusal.ts'],
  ['packages/fpl/src/manifest', '../limits.ts'],
  ['packages/client/src', '@plantroom/contract/failure'],
  ['packages/cli/src', '@plantroom/client/client'],
  ['packages/cli/src', '@plantroom/contract/failure'],
  ['packages/cli/src', '@plantroom/base/clock'],
  ['packages/web/src', '@plantroom/client/client'],
  ['packages/web/src', '@plantroom/contract/failure'],
  ['packages/simulator/src', '@plantroom/base/clock'],
  ['packages/simulator/src', '@plantroom/contract/failure'],
  ['packages/testkit/src', '@plantroom/drivers/driver'],
  ['e2e', '@plantroom/testkit/manual-clock'],
  ['e2e', '@plantroom/simulator/building'],
  ['e2e', '@plantroom/client/client'],
  ['bench', '@plantroom/testkit/manual-clock'],
  ['bench', '@plantroom/cloud/wire'],
  ['bench', '@plantroom/simulator/building'],
  // Edge, downward
  ['packages/edge/src', './link/uplink.ts'],
  ['packages/edge/src/link', '../commands/handle.ts'],
  ['packages/edge/src/link', '../reports/outbox.ts'],
  ['packages/edge/src/commands', '../overrides/engine.ts'],
  ['packages/edge/src/commands', '../optimisation/peak-shaving.ts'],
  ['packages/edge/src/commands', '../limiting/limiter.ts'],
  ['packages/edge/src/commands', '../probe/read-once.ts'],
  ['packages/edge/src/limiting', '../optimisation/regulator.ts'],
  ['packages/edge/src/output-tests', '../overrides/overrides.ts'],
  ['packages/edge/src/overrides', '../writing/arbiter.ts'],
  ['packages/edge/src/optimisation', '../writing/arbiter.ts'],
  ['packages/edge/src/writing', '../connections/connection.ts'],
  ['packages/edge/src/writing', '../store/journal.ts'],
  ['packages/edge/src/writing/nested', '../../connections/connection.ts'],
  ['packages/edge/src/writing/nested', '../arbiter.ts'],
  ['packages/edge/src/connections', '../telemetry/sample.ts'],
  ['packages/edge/src/reports', '../store/journal.ts'],
  ['packages/edge/src/telemetry', '../store/journal.ts'],
  ['packages/edge/src/probe', '../connections/scaling.ts'],
  ['packages/edge/src/metrics', '../connections/tally.ts'],
  // Cloud, downward
  ['packages/cloud/src', './platform/http/index.ts'],
  ['packages/cloud/src', './wire/cloud.ts'],
  ['packages/cloud/src/wire', '../organization/access/index.ts'],
  ['packages/cloud/src/wire', '../platform/db/database.ts'],
  ['packages/cloud/src/wire', '../config.ts'],
  ['packages/cloud/src/platform/doctor', '../db/database.ts'],
  ['packages/cloud/src/organization/access/keys', '../sessions/sessions.ts'],
  ['packages/cloud/src/organization/access/keys', '../secrets.ts'],
  ['packages/cloud/src/control/devices', '../../organization/access/index.ts'],
  ['packages/cloud/src/control/devices', '../../platform/broker/index.ts'],
  ['packages/cloud/src/organization/organizations', '../../platform/db/database.ts'],
  ['packages/cloud/src/maintenance/requests', '../../platform/mail/index.ts'],
  ['packages/cloud/src/maintenance/packages', '../../platform/jobs/index.ts'],
  ['packages/cloud/src/maintenance/packages', '../requests/index.ts'],
  ['packages/cloud/src/maintenance/request-codes', '../requests/index.ts'],
  ['packages/cloud/src/organization/push', '../../platform/seal/index.ts'],
  ['packages/cloud/src/control/alerts', '../../organization/push/index.ts'],
  ['packages/cloud/src/control/fleet', '../devices/index.ts'],
  ['packages/cloud/src/maintenance/automatic-exports', '../packages/index.ts'],
  ['packages/cloud/src/maintenance/automatic-exports', '../../platform/seal/index.ts'],
  ['packages/cloud/src/maintenance/automatic-exports/targets', '../../../platform/outbound/index.ts'],
  ['packages/cloud/src/organization/portfolio', '../../platform/db/database.ts'],
  ['packages/cloud/src/maintenance/conversions', '../packages/index.ts'],
  ['packages/cloud/src/maintenance/conversions', '../uploads/index.ts'],
  ['packages/cloud/src/maintenance/packages', '../uploads/index.ts'],
  ['packages/cloud/src/maintenance/requests', '../uploads/index.ts'],
  ['packages/cloud/src/platform/jobs', '../db/database.ts'],
  ['packages/cloud/src/platform/mail', '../files/index.ts'],
  ['packages/cloud/src/control/devices', '../../platform/streams/index.ts'],
  ['packages/cloud/src/organization/access/keys', '../../activity/index.ts'],
  ['packages/cloud/src/organization/activity', '../../platform/streams/index.ts'],
  ['packages/cloud/src/control/reports', '../../platform/streams/index.ts'],
  // Console, downward
  ['packages/web/src', './shell/frame.tsx'],
  ['packages/web/src', './pages/site/site-page.tsx'],
  ['packages/web/src/shell', '../parts/link.tsx'],
  ['packages/web/src/shell', '../api/use-site.ts'],
  ['packages/web/src/parts', '../texts/common.ts'],
  ['packages/web/src/parts/help', '../../help/search.ts'],
  ['packages/web/src/pages/site', '../../live/use-now.ts'],
  ['packages/web/src/pages/site', './overview.ts'],
  ['packages/web/src/pages/device', './chart/bands.ts'],
  ['packages/web/src/pages/device/chart', '../rows.ts'],
  ['packages/web/src/pages/device/release', '../override/plan.ts'],
  ['packages/web/src/pages/device/chart', '../../../texts/device.ts'],
]

const forbidden: readonly Case[] = [
  // Packages
  ['packages/base/src', '@plantroom/contract/failure'],
  ['packages/contract/src', '@plantroom/base/clock'],
  ['packages/contract/src', 'node:crypto'],
  ['packages/contract/src', 'pino'],
  ['packages/fpl/src', '@plantroom/drivers/driver'],
  ['packages/drivers/src/modbus', '@plantroom/edge/wire'],
  ['packages/drivers/src', '@plantroom/fpl/read-package'],
  ['packages/openadr/src', '@plantroom/cloud/wire'],
  ['packages/openadr/src', '@plantroom/drivers/driver'],
  ['packages/edge/src', '@plantroom/openadr/wanted'],
  ['packages/convert/src', '@plantroom/cloud/wire'],
  ['packages/convert/src', '@plantroom/client/client'],
  ['packages/fpl/src', '@plantroom/convert/convert'],
  ['packages/edge/src', '@plantroom/cloud/wire'],
  ['packages/edge/src', '@plantroom/web/app'],
  ['packages/edge/src/link', '@plantroom/fpl/read-package'],
  ['packages/edge/src/link', '@plantroom/client/client'],
  ['packages/cloud/src', '@plantroom/edge/wire'],
  ['packages/cloud/src', '@plantroom/web/app'],
  ['packages/cloud/src/control/devices', '@plantroom/drivers/driver'],
  ['packages/cloud/src/control/devices', '@plantroom/client/client'],
  ['packages/client/src', '@plantroom/base/clock'],
  ['packages/cli/src', '@plantroom/cloud/wire'],
  ['packages/cli/src', '@plantroom/edge/wire'],
  ['packages/web/src', '@plantroom/cloud/wire'],
  ['packages/web/src', '@plantroom/edge/wire'],
  ['packages/web/src', '@plantroom/base/log'],
  ['packages/simulator/src', '@plantroom/drivers/driver'],
  ['packages/testkit/src', '@plantroom/cloud/wire'],
  ['packages/edge/src/writing', '@plantroom/edge/store/journal'],
  // Nobody imports these
  ...['packages/edge/src', 'packages/cloud/src', 'packages/client/src', 'e2e', 'bench', 'tools/src'].flatMap(
    (folder): Case[] => [
      [folder, '@plantroom/cli/main'],
      [folder, '@plantroom/e2e/demo'],
      [folder, '@plantroom/bench/floor'],
      [folder, '@plantroom/tools/steps'],
    ],
  ),
  // Only tests, e2e and bench import these
  ...['base', 'contract', 'fpl', 'convert', 'drivers', 'edge', 'cloud', 'web', 'client', 'cli'].flatMap(
    (name): Case[] => [
      [`packages/${name}/src`, '@plantroom/testkit/manual-clock'],
      [`packages/${name}/src`, '@plantroom/simulator/building'],
    ],
  ),
  ['tools/src', '@plantroom/base/clock'],
  // A relative import stays in its package
  ['packages/edge/src', '../../cloud/src/wire.ts'],
  ['packages/edge/src/link', '../../../base/src/clock.ts'],
  ['packages/drivers/src/modbus/nested', '../../../../base/src/clock.ts'],
  ['packages/testkit/src', '../../drivers/src/driver.ts'],
  ['e2e', '../packages/cloud/src/wire.ts'],
  ['e2e/faults', '../../tools/src/steps.ts'],
  ['bench', '../tools/src/steps.ts'],
  ['tools/src', '../../bench/floor.ts'],
  // Fpl, upward and sideways
  ['packages/fpl/src/archive', '../manifest/scanner.ts'],
  ['packages/fpl/src/manifest', '../check/checker.ts'],
  ['packages/fpl/src/manifest', '../content/read-entries.ts'],
  ['packages/fpl/src/content', '../check/checker.ts'],
  ['packages/fpl/src/check', '../content/read-entries.ts'],
  ['packages/fpl/src/write', '../check/checker.ts'],
  ['packages/fpl/src/check', '../check-package.ts'],
  ['packages/fpl/src/archive', '../read-package.ts'],
  ['packages/fpl/src/unlisted', '../archive/archive.ts'],
  // Edge, upward and sideways
  ['packages/edge/src', './main.ts'],
  ['packages/edge/src/link', '../main.ts'],
  ['packages/edge/src/link', '../wire.ts'],
  ['packages/edge/src/link', '../config.ts'],
  ['packages/edge/src/commands', '../link/uplink.ts'],
  ['packages/edge/src/overrides', '../commands/handle.ts'],
  ['packages/edge/src/overrides', '../optimisation/peak-shaving.ts'],
  ['packages/edge/src/optimisation', '../overrides/engine.ts'],
  ['packages/edge/src/writing', '../overrides/engine.ts'],
  ['packages/edge/src/writing', '../optimisation/peak-shaving.ts'],
  ['packages/edge/src/writing/nested', '../../overrides/engine.ts'],
  ['packages/edge/src/connections', '../writing/arbiter.ts'],
  ['packages/edge/src/reports', '../writing/arbiter.ts'],
  ['packages/edge/src/reports', '../telemetry/sample.ts'],
  ['packages/edge/src/telemetry', '../connections/connection.ts'],
  ['packages/edge/src/store', '../reports/outbox.ts'],
  ['packages/edge/src/store', '../connections/connection.ts'],
  ['packages/edge/src/connections', '../metrics/figures.ts'],
  ['packages/edge/src/connections', '../probe/probe.ts'],
  ['packages/edge/src/probe', '../writing/arbiter.ts'],
  ['packages/edge/src/probe', '../store/journal.ts'],
  ['packages/edge/src/metrics', '../overrides/overrides.ts'],
  ['packages/edge/src/unlisted', '../store/journal.ts'],
  // Cloud, upward and sideways
  ['packages/cloud/src', './main.ts'],
  ['packages/cloud/src/platform/http', '../../wire/cloud.ts'],
  ['packages/cloud/src/control/devices', '../../platform/http/index.ts'],
  ['packages/cloud/src/control/devices', '../../config.ts'],
  ['packages/cloud/src/control/devices', '../../organization/organizations/index.ts'],
  ['packages/cloud/src/organization/organizations', '../../control/devices/index.ts'],
  ['packages/cloud/src/control/reports', '../telemetry/index.ts'],
  ['packages/cloud/src/maintenance/requests', '../packages/index.ts'],
  ['packages/cloud/src/maintenance/packages', '../requests/request-store.ts'],
  ['packages/cloud/src/control/devices', '../fleet/index.ts'],
  ['packages/cloud/src/control/fleet', '../devices/override-owner-store.ts'],
  ['packages/cloud/src/control/fleet', '../reports/index.ts'],
  ['packages/cloud/src/organization/portfolio', '../../control/telemetry/index.ts'],
  ['packages/cloud/src/control/devices', '../../organization/portfolio/search-store.ts'],
  ['packages/cloud/src/maintenance/packages', '../../platform/jobs/queue.ts'],
  ['packages/cloud/src/maintenance/packages', '../conversions/index.ts'],
  ['packages/cloud/src/maintenance/conversions', '../requests/index.ts'],
  ['packages/cloud/src/maintenance/uploads', '../packages/index.ts'],
  ['packages/cloud/src/maintenance/automatic-exports', '../uploads/index.ts'],
  ['packages/cloud/src/maintenance/requests', '../../platform/mail/outbox-store.ts'],
  ['packages/cloud/src/platform/mail', '../files/disk-store.ts'],
  ['packages/cloud/src/organization/access', '../activity/activity-store.ts'],
  ['packages/cloud/src/organization/activity', '../access/index.ts'],
  ['packages/cloud/src/organization/activity', '../../maintenance/requests/index.ts'],
  ['packages/cloud/src/platform/files', '../../organization/activity/index.ts'],
  ['packages/cloud/src/control/telemetry', '../../maintenance/requests/index.ts'],
  ['packages/cloud/src/platform/doctor', '../../maintenance/requests/index.ts'],
  ['packages/cloud/src/wire', '../platform/doctor/database-checks.ts'],
  ['packages/cloud/src/platform/jobs', '../../maintenance/packages/index.ts'],
  ['packages/cloud/src/platform/jobs', '../../maintenance/requests/index.ts'],
  ['packages/cloud/src/organization/access', '../../platform/mail/outbox.ts'],
  ['packages/cloud/src/platform/broker', '../../control/devices/index.ts'],
  ['packages/cloud/src/platform/streams', '../db/database.ts'],
  ['packages/cloud/src/platform/streams', '../../organization/access/index.ts'],
  ['packages/cloud/src/platform/jobs', '../streams/index.ts'],
  ['packages/cloud/src/platform/db', '../jobs/queue.ts'],
  ['packages/cloud/src/platform/files', '../db/database.ts'],
  ['packages/cloud/src/platform/http', '../../control/devices/index.ts'],
  ['packages/cloud/src/platform/http', '../../organization/organizations/index.ts'],
  ['packages/cloud/src/platform/http', '../../organization/access/index.ts'],
  ['packages/cloud/src/platform/jobs', '../../organization/activity/index.ts'],
  ['packages/cloud/src/maintenance/requests', '../../control/devices/index.ts'],
  // Cloud, past the door of a feature
  ['packages/cloud/src', './platform/http/server.ts'],
  ['packages/cloud/src/wire', '../organization/access/authorize.ts'],
  ['packages/cloud/src/wire', '../control/reports/report-store.ts'],
  ['packages/cloud/src/maintenance/packages', '../uploads/upload-store.ts'],
  ['packages/cloud/src/wire', '../control/telemetry/broadcasts.ts'],
  ['packages/cloud/src/platform/http', '../../organization/organizations/organization-store.ts'],
  ['packages/cloud/src/control/devices', '../../organization/access/keys/api-key.ts'],
  ['packages/cloud/src/control/devices', '../../platform/broker/device-bus.ts'],
  ['packages/cloud/src/control/devices', '../../platform/streams/event-stream.ts'],
  ['packages/cloud/src/platform/http', '../../control/devices/device-store.ts'],
  // Console, upward or sideways
  ['packages/web/src/texts', '../parts/time.ts'],
  ['packages/web/src/parts', '../api/use-site.ts'],
  ['packages/web/src/parts', '../pages/site/overview.ts'],
  ['packages/web/src/live', '../pages/site/overview.ts'],
  ['packages/web/src/api', '../parts/time.ts'],
  ['packages/web/src/shell', '../pages/sign-in/sign-in-page.tsx'],
  ['packages/web/src/pages/site', '../device/rows.ts'],
  ['packages/web/src/pages/site', '../not-found-page.tsx'],
  ['packages/web/src/pages/site', '../../shell/frame.tsx'],
  ['packages/web/src/pages/device/chart', '../../site/overview.ts'],
  ['packages/web/src/pages/device/chart', '../../../shell/frame.tsx'],
]

const tests: readonly Case[] = [
  ['packages/base/src', '@plantroom/testkit/manual-clock'],
  ['packages/drivers/src/modbus', '@plantroom/simulator/building'],
  ['packages/contract/src', 'vitest'],
  ['packages/edge/src/writing', '../overrides/engine.ts'],
  ['packages/cloud/src/control/devices', '../../platform/http/server.ts'],
  ['packages/fpl/src/manifest', '../check/checker.ts'],
]

const forbiddenInTests: readonly Case[] = [
  ['packages/edge/src', '@plantroom/cloud/wire'],
  ['packages/cloud/src', '@plantroom/edge/wire'],
  ['packages/cloud/src', '@plantroom/cli/main'],
  ['packages/cloud/src/platform/db', '../../../../edge/src/wire.ts'],
]

const REFUSED =
  /noRestrictedImports|imports go downward|through its index\.ts|stays inside its package|nothing imports it|see the wings/

const WRITTEN = {
  'a static import': (specifier: string) => `import '${specifier}'\n`,
  'a type import': (specifier: string) => `import type { T } from '${specifier}'\nexport type U = T\n`,
  'a dynamic import': (specifier: string) => `export const lazy = () => import('${specifier}')\n`,
  'a re-export': (specifier: string) => `export { thing } from '${specifier}'\n`,
}

describe('the import rules', () => {
  let tree: LintedTree
  const files: Record<string, string> = {}
  const place = ([folder, specifier]: Case, ending: string, source: string): string => {
    const path = `${folder}/file-${Object.keys(files).length}-${specifier.replace(/\W+/g, '-')}${ending}`
    files[path] = source
    return path
  }
  const staticImport = WRITTEN['a static import']
  const placed = (cases: readonly Case[], ending: string) =>
    cases.map((one) => ({ from: one[0], to: one[1], path: place(one, ending, staticImport(one[1])) }))

  const mayImport = [...placed(allowed, '.ts'), ...placed(tests, '.test.ts')]
  const mayNot = [...placed(forbidden, '.ts'), ...placed(forbiddenInTests, '.test.ts')]
  const disguised = Object.entries(WRITTEN).flatMap(([how, write]) =>
    [
      ['packages/edge/src/writing', '../link/uplink.ts'] as const,
      ['packages/edge/src/writing', '@plantroom/cloud/wire'] as const,
      ['packages/edge/src/writing', '../../../base/src/clock.ts'] as const,
    ].map((one) => ({ how, to: one[1], path: place(one, '.ts', write(one[1])) })),
  )
  const inType = place(['packages/edge/src', './wire.ts'], '.ts', `export type T = import('./wire.ts').T\n`)
  const undeclared = place(['packages/edge/src', 'left-pad'], '.ts', staticImport('left-pad'))
  const bare = place(['packages/edge/src', './neighbour'], '.ts', staticImport('./neighbour'))
  files['packages/edge/src/neighbour.ts'] = 'export const thing = 1\n'
  files['packages/edge/src/chicken.ts'] = `import { egg } from './egg.ts'\nexport const chicken = () => egg\n`
  files['packages/edge/src/egg.ts'] = `import { chicken } from './chicken.ts'\nexport const egg = () => chicken\n`

  beforeAll(async () => {
    tree = await lintTree(files)
  })
  afterAll(() => tree.remove())

  test.each(mayImport)('$from may import $to', ({ path }) => {
    expect(tree.problems(path)).toEqual([])
  })

  test.each(mayNot)('$from must not import $to', ({ path }) => {
    expect(tree.problems(path)).toContainEqual(expect.stringMatching(REFUSED))
  })

  test.each(disguised)('$how of $to is seen', ({ path }) => {
    expect(tree.problems(path)).toContainEqual(expect.stringMatching(REFUSED))
  })

  test('an import inside a type is refused, wherever it goes', () => {
    expect(tree.problems(inType)).toContainEqual(expect.stringContaining('Write `import type`'))
  })

  test('a dependency must be declared by the package that imports it', () => {
    expect(tree.problems(undeclared)).toContainEqual(expect.stringContaining('noUndeclaredDependencies'))
  })

  test('a relative import names the file with its extension', () => {
    expect(tree.problems(bare)).toContainEqual(expect.stringContaining('useImportExtensions'))
  })

  test('there are no cycles', () => {
    expect(tree.problems('packages/edge/src/egg.ts')).toContainEqual(expect.stringContaining('noImportCycles'))
  })
})
