import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommissionedDatapoint, CommissioningFile } from '@plantroom/contract/commissioning'
import { parse } from 'yaml'
import { ROOT } from './environment.ts'

const FOLDER = join(ROOT, 'packages/simulator/demo')

const read = (name: string) => parse(readFileSync(join(FOLDER, name), 'utf8')) as CommissioningFile

/** Everything that the demo commissions, as one technical system, with peak shaving, the power limit and schedules. */
export function wholeBuilding(): CommissioningFile {
  const files = readdirSync(FOLDER).sort().map(read)
  const { peakShaving, powerLimit } = files.find((file) => file.peakShaving) ?? {}
  return {
    technicalSystem: 'Building',
    connections: files.flatMap(({ connections }) => connections),
    ...(peakShaving && { peakShaving }),
    ...(powerLimit && { powerLimit }),
    schedules: files.flatMap(({ schedules = [] }) => schedules),
  }
}

/**
 * The demo's commissioning file for a simulator on `port`, polled more often so that tests wait less. It has no peak shaving, no
 * power limit and no schedules: results must not depend on the time of day.
 */
export function batteryRoom(port: number): CommissioningFile {
  const { peakShaving, powerLimit, schedules, ...file } = drivenBatteryRoom(port)
  return file
}

/** The same file with peak shaving, the power limit and schedules. */
export function drivenBatteryRoom(port: number): CommissioningFile {
  const file = read('battery-room.yaml')
  return {
    ...file,
    connections: file.connections.map((connection) => ({
      ...connection,
      settings: { ...connection.settings, port, pollSeconds: 0.2 },
    })),
  }
}

/** The demo's heat pump at another broker. */
export function heatPump(url: string): CommissioningFile {
  const file = read('heat-pump.yaml')
  return { ...file, connections: file.connections.map((each) => ({ ...each, settings: { ...each.settings, url } })) }
}

/** Returns the file with the datapoints of one connection changed. */
export function withDatapoints(
  file: CommissioningFile,
  connectionName: string,
  change: (before: readonly CommissionedDatapoint[]) => readonly CommissionedDatapoint[],
): CommissioningFile {
  return {
    ...file,
    connections: file.connections.map((connection) =>
      connection.name === connectionName ? { ...connection, datapoints: change(connection.datapoints) } : connection,
    ),
  }
}
