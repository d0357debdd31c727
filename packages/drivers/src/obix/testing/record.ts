// Records the exchanges between the driver and an oBIX server:
//
//   node packages/drivers/src/obix/testing/record.ts 127.0.0.1:8085 packages/drivers/src/obix/recordings/NAME
//
// The folder contains a case.json with the steps. The script adds the results to it, and writes the exchanges beside it.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { Driver } from '../../driver.ts'
import { createObixProtocol } from '../driver.ts'
import { type Case, type Step, written } from './case.ts'
import { connectionOf, never } from './connection.ts'
import { startRecorder } from './recorder.ts'

const [address = '', folder = ''] = process.argv.slice(2)
const [host = '', port = ''] = address.split(':')
const file = join(folder, 'case.json')
const asked = JSON.parse(readFileSync(file, 'utf8')) as Case

const recorder = await startRecorder({ host, port: Number(port) })
const url = `http://${recorder.host}/obix/`
const connection = connectionOf(asked.points, { url, ...asked.settings })
const driver = createObixProtocol({ clock: systemClock }).connect(connection)
await driver.open(never)
const does: Step[] = []
for (const step of asked.does) does.push(await outcome(step, driver))
await driver.close()
await recorder.stop()

for (const name of readdirSync(folder)) if (name.endsWith('.http')) rmSync(join(folder, name))
for (const [index, { request, reply }] of recorder.exchanges.entries()) {
  const number = String(index + 1).padStart(2, '0')
  writeFileSync(join(folder, `${number}-request.http`), unnamed(request))
  writeFileSync(join(folder, `${number}-reply.http`), unnamed(reply))
}
writeFileSync(file, unnamed(`${JSON.stringify({ ...asked, does }, null, 2)}\n`))

async function outcome(step: Step, driver: Driver): Promise<Step> {
  if ('read' in step) {
    const readings = await driver.read(step.read, { urgent: step.urgent ?? false })
    return { ...step, gives: readings.map(written) }
  }
  try {
    await driver.write(...step.write)
    return { write: step.write }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure
    return { write: step.write, fails: { kind: failure.kind, message: failure.message } }
  }
}

function unnamed(said: Buffer | string): string {
  return said.toString().replaceAll(recorder.host, '{host}')
}
