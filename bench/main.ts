import { parseArgs } from 'node:util'
import { benchAudit } from './audit.ts'
import { benchBackup } from './backup.ts'
import { benchBacnet } from './bacnet.ts'
import { benchCommand } from './command.ts'
import { benchConvert } from './convert.ts'
import { benchDispatch } from './dispatch.ts'
import { benchFleet, FLEET_ROWS } from './fleet.ts'
import { benchImport } from './import.ts'
import { benchLimit } from './limit.ts'
import { benchLine } from './line.ts'
import { benchOpenadr } from './openadr.ts'
import { benchPackage } from './package.ts'
import { benchPoll } from './poll.ts'
import { benchRequests } from './requests.ts'
import { benchSunspec } from './sunspec.ts'
import { type Measurement, saveMeasurements, sayMeasurement } from './support/measurement.ts'

const BENCHES: Readonly<
  Record<string, (options: { rows: readonly string[]; devices: number }) => Promise<Measurement[]>>
> = {
  audit: benchAudit,
  backup: benchBackup,
  bacnet: benchBacnet,
  command: benchCommand,
  convert: benchConvert,
  dispatch: benchDispatch,
  fleet: benchFleet,
  import: benchImport,
  limit: benchLimit,
  line: benchLine,
  openadr: benchOpenadr,
  package: benchPackage,
  poll: benchPoll,
  requests: benchRequests,
  sunspec: benchSunspec,
}

const USAGE = `plantroom bench [NAME] [--json]     measure speed against floors taken in the same run
plantroom bench fleet [ROW...]      measure imitated controllers on PostgreSQL and Mosquitto

NAME is one of ${Object.keys(BENCHES).join(', ')}; runs all of them by default.
ROW is one of ${FLEET_ROWS.join(', ')}. --devices N imitates that many controllers instead of 10000.
Appends the results to bench/results/NAME.csv with the current commit.`

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, devices: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})
const [first] = positionals
const names = first === 'fleet' ? ['fleet'] : positionals
const rows = first === 'fleet' ? positionals.slice(1) : []
const devices = Number(values.devices ?? 10_000)
const unknown = names.find((name) => !Object.hasOwn(BENCHES, name)) ?? rows.find((row) => !FLEET_ROWS.includes(row))
if (values.help) {
  console.log(USAGE)
} else if (unknown !== undefined) {
  console.error(`plantroom bench: unknown benchmark ${unknown}; see --help`)
  process.exitCode = 2
} else if (!(Number.isSafeInteger(devices) && devices > 0)) {
  console.error(`plantroom bench: --devices ${values.devices} is not a whole number above 0; see --help`)
  process.exitCode = 2
} else {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue
    const measurements = await bench({ rows, devices })
    for (const measurement of measurements) {
      console.log(values.json ? JSON.stringify(measurement) : sayMeasurement(measurement))
    }
    await saveMeasurements(name, measurements)
  }
}
