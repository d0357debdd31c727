import { shown } from '../shown.ts'
import type { CommissionedDatapoint, CommissioningFile, FileProblem } from './file.ts'

/** A datapoint of a file, with its path. */
export interface Placed {
  path: string
  connection: string
  datapoint: CommissionedDatapoint
}

/**
 * Finds the datapoints that a reference of peak shaving or a schedule can mean: `Datapoint` or `Connection/Datapoint`.
 * Names may have slashes, so a reference can match several; the installer resolves that.
 */
export function datapointsByReference(file: CommissioningFile): (reference: string) => readonly Placed[] {
  const found = new Map<string, Placed[]>()
  const known = new Set<string>()
  file.connections.forEach(({ name: connection, datapoints }, c) => {
    datapoints.forEach((datapoint, d) => {
      // A duplicate name is reported once, not again for each reference to it.
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

/** Reports the names of a list that are used twice. */
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
