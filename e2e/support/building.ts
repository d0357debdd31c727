import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommissionedDatapoint, CommissioningFile } from '@plantroom/contract/commissioning'
import { parse } from 'yaml'
import { ROOT } from './environment.ts'

const FOLDER = join(ROOT, 'packages/simulator/demo')

const read = (name: string) => parse(readFileSync(join(FOLDER, name), 'utf8')) as CommissioningFile

/** All that the demo commissions, as one technical system: every connection with all that drives its datapoints. */
export function wholeBuilding(): CommissioningFile {
  const files = readdirSync(FOLDER).sort().map(read)
  const { peakShaving } = files.find((file) => file.peakShaving) ?? {}
  return {
    technicalSystem: 'Building',
    connections: files.flatMap(({ connections }) => connections),
    ...(peakShaving && { peakShaving }),
    schedules: files.flatMap(({ schedules = [] }) => schedules),
  }
}

/**
 * The file that the demo commissions, for a simulator on `port`; polled more often, so that tests wait less. Without peak
 * shaving and schedules: what a test sees must not hang on the hour of the day.
 */
export function batteryRoom(port: number): CommissioningFile {
  const { peakShaving, schedules, ...file } = drivenBatteryRoom(port)
  return file
}

/** The same with all that drives its datapoints. */
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

/** The file with other datapoints on one of its connections. */
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
