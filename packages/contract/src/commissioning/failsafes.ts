import { shown } from '../shown.ts'
import type {
  CommissionedConnection,
  CommissionedDatapoint,
  CommissionedFailsafe,
  CommissioningFile,
  FileProblem,
} from './file.ts'
import type { Placed } from './names.ts'

const KINDS = ['reversion', 'heartbeat'] as const

/** Returns the kind of a failsafe and the name of its register; `undefined` when it is both kinds or neither. */
export function failsafeOf(
  failsafe: CommissionedFailsafe,
): { kind: (typeof KINDS)[number]; register: string } | undefined {
  const [one, ...more] = KINDS.flatMap((kind) => {
    const register = failsafe[kind]
    return register === undefined ? [] : [{ kind, register }]
  })
  return more.length === 0 ? one : undefined
}

/**
 * Returns the mistakes in failsafes, connection by connection and datapoint by datapoint, in file order. Only the
 * failsafe that a register serves may write it: any other writer would disarm it.
 */
export function failsafeProblems(file: CommissioningFile, find: (reference: string) => readonly Placed[]) {
  const uses = otherUses(file, find)
  const servedBy = new Map<string, string>()

  return (connection: CommissionedConnection, path: string) => {
    const byName = new Map(connection.datapoints.map((datapoint, d) => [datapoint.name, d] as const).toReversed())

    return (datapoint: CommissionedDatapoint, d: number): FileProblem[] => {
      if (!datapoint.failsafe) return []
      const at = `${path}[${d}].failsafe`
      if (datapoint.accessType === 'READ') return [{ path: at, message: 'is only for datapoints that can be written' }]
      const failsafe = failsafeOf(datapoint.failsafe)
      if (!failsafe) return [{ path: at, message: 'needs either a reversion or a heartbeat' }]

      const name = `"${shown(failsafe.register)}"`
      const problem = (message: string): FileProblem => ({ path: `${at}.${failsafe.kind}`, message })
      const index = byName.get(failsafe.register)
      const register = index === undefined ? undefined : connection.datapoints[index]
      if (!register) return [problem(`this connection has no datapoint ${name}`)]
      if (index === d) return [problem(`${name} is the datapoint itself`)]

      const registerPath = `${path}[${index}]`
      const before = servedBy.get(registerPath)
      servedBy.set(registerPath, before ?? `${path}[${d}]`)
      return [
        ...(register.accessType === 'READ' ? [`${name} cannot be written`] : []),
        ...(register.failsafe ? [`${name} has a failsafe itself`] : []),
        ...(register.limits ? [`${name} has limits, which are not enforced for a failsafe register`] : []),
        ...(before ? [`${name} is already the failsafe of ${before}`] : []),
        ...(uses.get(registerPath) ?? []).map((use) => `${name} is ${use}`),
      ].map(problem)
    }
  }
}

/** How else a file uses its datapoints, by their paths. */
function otherUses(
  { peakShaving, powerLimit, schedules }: CommissioningFile,
  find: (reference: string) => readonly Placed[],
) {
  const uses = new Map<string, string[]>()
  const add = (reference: string, use: string) => {
    const [placed, ...more] = find(reference)
    if (!placed || more.length > 0) return
    uses.set(placed.path, [...(uses.get(placed.path) ?? []), use])
  }
  for (const [part, loads = []] of Object.entries({ peakShaving: peakShaving?.loads, powerLimit: powerLimit?.loads })) {
    loads.forEach((load, index) => {
      add(load.datapoint, `the load of ${part}.loads[${index}]`)
    })
  }
  schedules?.forEach((schedule, index) => {
    add(schedule.datapoint, `driven by schedules[${index}]`)
  })
  return uses
}
