import { parseArgs } from 'node:util'
import { benchAudit } from './audit.ts'
import { benchCommand } from './command.ts'
import { benchDispatch } from './dispatch.ts'
import { benchImport } from './import.ts'
import { benchPackage } from './package.ts'
import { benchPoll } from './poll.ts'
import { type Measurement, saveMeasurements, sayMeasurement } from './support/measurement.ts'

const BENCHES: Readonly<Record<string, () => Promise<Measurement[]>>> = {
  audit: benchAudit,
  command: benchCommand,
  dispatch: benchDispatch,
  import: benchImport,
  package: benchPackage,
  poll: benchPoll,
}

const USAGE = `plantroom bench [NAME] [--json]     measure speed against floors taken in the same run

NAME is one of ${Object.keys(BENCHES).join(', ')}; runs all of them by default.
Appends the results to bench/results/NAME.csv with the current commit.`

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})
const unknown = positionals.find((name) => !Object.hasOwn(BENCHES, name))
if (values.help) {
  console.log(USAGE)
} else if (unknown !== undefined) {
  console.error(`plantroom bench: unknown benchmark ${unknown}; see --help`)
  process.exitCode = 2
} else {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const measurements = await bench()
    for (const measurement of measurements) {
      console.log(values.json ? JSON.stringify(measurement) : sayMeasurement(measurement))
    }
    await saveMeasurements(name, measurements)
  }
}
