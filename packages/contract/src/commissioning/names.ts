import { shown } from '../shown.ts'
import type { CommissionedDatapoint, CommissioningFile, FileProblem } from './file.ts'

/** A datapoint of a file, and where it stands there: the path is what tells two of one name apart. */
export interface Placed {
  path: string
  connection: string
  datapoint: CommissionedDatapoint
}

/**
 * What peak shaving and schedules may call a datapoint: `Datapoint`, or `Connection/Datapoint`. All that a reference
 * fits, since names may hold a slash themselves: one that fits two is the installer's to settle, never ours.
 */
export function datapointsByReference(file: CommissioningFile): (reference: string) => readonly Placed[] {
  const found = new Map<string, Placed[]>()
  const known = new Set<string>()
  file.connections.forEach(({ name: connection, datapoints }, c) => {
    datapoints.forEach((datapoint, d) => {
      // A name that is used twice in one place is a mistake of its own; the reference to it is not a second one.
      const names = JSON.stringify([connection, datapoint.name])
      if (known.has(names)) return
      known.add(names)
      const placed = { path: `connections[${c}].datapoints[${d}]`, connection, datapoint }
      for (const reference of [datapoint.name, fullName(placed)]) {
        const others = found.get(reference)
        if (others) others.push(placed)
        else found.set(reference, [placed])
      }
    })
  })
  return (reference) => found.get(reference) ?? []
}

export function fullName({ connection, datapoint }: Placed): string {
  return `${connection}/${datapoint.name}`
}

/** Remembers the names of one list, and tells which were there before. */
export function nameTaken(path: string): (name: string, index: number) => FileProblem[] {
  const first = new Map<string, number>()
  return (name, index) => {
    const before = first.get(name)
    if (before === undefined) first.set(name, index)
    return before === undefined
      ? []
      : [{ path: `${path}[${index}].name`, message: `"${shown(name)}" is already the name of ${path}[${before}]` }]
  }
}
