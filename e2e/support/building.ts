import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommissionedDatapoint, CommissioningFile } from '@plantroom/contract/commissioning'
import { parse } from 'yaml'
import { ROOT } from './environment.ts'

const BATTERY_ROOM = join(ROOT, 'packages/simulator/demo/battery-room.yaml')

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
  const file = parse(readFileSync(BATTERY_ROOM, 'utf8')) as CommissioningFile
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
